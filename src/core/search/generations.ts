import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { writeFileAtomic } from '../util/atomic-file.ts';

/**
 * Saved indexes live in generations: each save fills a folder of its own, then `current.json` is replaced by rename. A
 * killed save leaves an unnamed folder behind, a second window simply publishes a generation of its own; whoever reads
 * sees one whole generation or the next.
 */
const pointer = z.object({
  version: z.literal(1),
  fingerprint: z.string(),
  generation: z.string().regex(/^g-[0-9a-f]+$/),
});

/** Folders younger than this may belong to a save that is under way in another window. */
const YOUNG_MS = 10 * 60_000;

/**
 * Opens the current generation with `open`. Undefined when there is none, when its fingerprint (format) is
 * another, or when it cannot be read; `problem` then says why, for the log.
 */
export async function openGeneration<T>(
  home: string,
  fingerprint: string,
  open: (folder: string) => Promise<T>,
): Promise<{ value?: T; problem?: string }> {
  // Another window may publish and clear the generation between our reading its name and its files: look once more.
  for (let attempt = 0; ; attempt++) {
    const text = await readFile(join(home, 'current.json'), 'utf8').catch(() => undefined);
    if (text === undefined) return {};
    try {
      const current = pointer.parse(JSON.parse(text));
      if (current.fingerprint !== fingerprint) return { problem: 'saved by another version or for another model' };
      return { value: await open(join(home, current.generation)) };
    } catch (error) {
      if (attempt > 0) return { problem: error instanceof Error ? error.message : String(error) };
    }
  }
}

/** Publishes what `fill` writes as the current generation; the one it replaces is deleted once it is out of use. */
export async function publishGeneration(
  home: string,
  fingerprint: string,
  fill: (folder: string) => Promise<void>,
): Promise<void> {
  const generation = `g-${randomBytes(8).toString('hex')}`;
  const folder = join(home, generation);
  // Documents of a private folder must not become readable to others by being indexed.
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const replaced = await currentGeneration(home);
  try {
    await fill(folder);
    const content = { version: 1, fingerprint, generation } satisfies z.infer<typeof pointer>;
    await writeFileAtomic(join(home, 'current.json'), JSON.stringify(content));
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
  await sweep(home, generation, replaced);
}

async function currentGeneration(home: string): Promise<string | undefined> {
  try {
    return pointer.parse(JSON.parse(await readFile(join(home, 'current.json'), 'utf8'))).generation;
  } catch {
    return undefined;
  }
}

async function sweep(home: string, current: string, replaced: string | undefined): Promise<void> {
  for (const name of await readdir(home)) {
    if (name === current || name === 'current.json') continue;
    const age = await stat(join(home, name)).then(
      (info) => Date.now() - info.mtimeMs,
      () => 0,
    );
    if (name === replaced || age > YOUNG_MS) await rm(join(home, name), { recursive: true, force: true });
  }
}
