/** Kinds of ASCII characters, as bits. */
const DIGIT = 1;
export const SMALL = 2;
export const CAPITAL = 4;

const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[0-9]/.test(character)) return DIGIT;
  if (/[a-z]/.test(character)) return SMALL;
  return /[A-Z]/.test(character) ? CAPITAL : 0;
});

/** Kind of the character at a place; 0 for any other, and past the end. */
export function kindAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < KINDS.length ? KINDS[code]! : 0;
}
