/** `array`, or a copy of at least `needed` elements with room to spare: appending stays linear overall. */
export function grown<T extends Uint8Array | Uint16Array | Uint32Array | Int32Array | Float32Array>(
  array: T,
  needed: number,
): T {
  if (needed <= array.length) return array;
  const bigger = new (array.constructor as new (length: number) => T)(Math.max(needed, array.length * 2, 1024));
  bigger.set(array);
  return bigger;
}
