import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Saves what an engine serialises to as JSON text, as its documentation has one do. */
export async function saveJson(folder: string, value: unknown): Promise<void> {
  await writeFile(join(folder, 'index.json'), typeof value === 'string' ? value : JSON.stringify(value));
}

export function loadJson(folder: string): Promise<string> {
  return readFile(join(folder, 'index.json'), 'utf8');
}
