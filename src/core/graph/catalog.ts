import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { writeFileAtomic } from '../util/atomic-file.ts';
import { sha256 } from '../util/hash.ts';
import type { KeptFile } from './workspace.ts';

/** Raise it when fragments or scanners change their shape: what older code kept is then read anew. */
const FORMAT = 'loci-graph-1';

const head = z.object({ format: z.literal(FORMAT), files: z.number(), sha256: z.string() });

/**
 * The fragments of an earlier run, by path. The first line of the file vouches for the rest: a file that is not whole, or
 * of another version, counts as none.
 */
export async function openCatalog(path: string): Promise<{ kept: Map<string, KeptFile>; problem?: string }> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) return { kept: new Map() };
  const end = text.indexOf('\n');
  try {
    const { sha256: expected } = head.parse(JSON.parse(text.slice(0, end)));
    const body = text.slice(end + 1);
    if (sha256(body) !== expected) throw new Error('its checksum does not fit');
    const files = JSON.parse(body) as KeptFile[];
    return { kept: new Map(files.map((file) => [file.path, file])) };
  } catch (error) {
    return { kept: new Map(), problem: (error as Error).message.split('\n')[0]! };
  }
}

export async function saveCatalog(path: string, kept: ReadonlyMap<string, KeptFile>): Promise<void> {
  const body = JSON.stringify([...kept.values()]);
  const first = { format: FORMAT, files: kept.size, sha256: sha256(body) } satisfies z.infer<typeof head>;
  await writeFileAtomic(path, `${JSON.stringify(first)}\n${body}`);
}
