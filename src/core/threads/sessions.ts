import { stat } from 'node:fs/promises';
import type { Entry } from './library.ts';
import type { Thread } from './model.ts';
import type { FileFormat, ThreadFile } from './stores.ts';

/** The richest store of a session first. */
const PREFERENCE: readonly FileFormat[] = [
  'loci',
  'vscode-log',
  'vscode-json',
  'copilot-cli',
  'claude-code',
  'copilot-transcript',
];

/** A file as it lies on disk now. */
export interface Stamped {
  readonly file: ThreadFile;
  readonly size: number;
  readonly mtimeMs: number;
}

const OURS = '@loci';

/** A session of the editor and our own transcript of its turns with @loci are two threads. */
export function sessionKey(id: string, loci: boolean): string {
  return loci ? `${id}${OURS}` : id;
}

export function bareId(id: string): string {
  return id.endsWith(OURS) ? id.slice(0, -OURS.length) : id;
}

export function isLoci(agent: string | undefined): boolean {
  return agent !== undefined && /(?:^|\.)loci$/.test(agent);
}

export function lastAgent({ messages }: Thread): string | undefined {
  return messages.findLast(({ agent }) => agent !== undefined)?.agent;
}

/** A chat with @loci alone is told once, by our transcript; of one with other agents too, both parts are told. */
export function told(found: ReadonlyMap<string, Entry>): Entry[] {
  return [...found].flatMap(([key, entry]) => {
    const { digest } = entry;
    if (digest.source !== 'loci') return found.has(sessionKey(key, true)) && digest.agents.every(isLoci) ? [] : [entry];
    const other = found.get(digest.id);
    const mixed = other !== undefined && !other.digest.agents.every(isLoci);
    return [mixed ? { ...entry, digest: { ...digest, id: key } } : entry];
  });
}

/** Size and time of a file; undefined when it is gone, or is none. */
export async function stamp(file: ThreadFile): Promise<Stamped | undefined> {
  const info = await stat(file.path).catch(() => undefined);
  return info?.isFile() ? { file, size: info.size, mtimeMs: info.mtimeMs } : undefined;
}

/** Files by session, the richest store's first. */
export function bySession(files: readonly (Stamped | undefined)[]): Map<string, Stamped[]> {
  const sessions = new Map<string, Stamped[]>();
  for (const one of files) {
    if (one === undefined) continue;
    const key = sessionKey(one.file.id, one.file.format === 'loci');
    const copies = sessions.get(key);
    if (copies) copies.push(one);
    else sessions.set(key, [one]);
  }
  for (const copies of sessions.values()) copies.sort(better);
  return sessions;
}

function better(a: Stamped, b: Stamped): number {
  return PREFERENCE.indexOf(a.file.format) - PREFERENCE.indexOf(b.file.format) || b.mtimeMs - a.mtimeMs;
}
