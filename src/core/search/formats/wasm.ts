import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Where `pdfium.wasm` lies: beside the bundle, or in node_modules when run from source. */
export function pdfiumWasmPath(): string {
  const beside = fileURLToPath(new URL('./pdfium.wasm', import.meta.url));
  return existsSync(beside) ? beside : createRequire(import.meta.url).resolve('@hyzyla/pdfium/pdfium.wasm');
}
