import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { WikiGraph } from '../../../src/core/wiki/graph.ts';
import { createWiki, type WikiConfig } from '../../../src/core/wiki/wiki.ts';
import type { EditInput, WriteInput } from '../../../src/core/wiki/writing.ts';

const made: string[] = [];
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

export function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'loci wiki ü-'));
  made.push(folder);
  return folder;
}

export const REVENUE = 'snowflake://ANALYTICS/FINANCE/REVENUE';

type Options = Partial<Omit<WikiConfig, 'folders'>> & { folder?: string; graph?: WikiGraph };

/** One colleague's wiki: a workspace folder and an extension's storage of their own. */
export function colleague({ folder = temporary(), graph, ...more }: Options = {}) {
  let clock = Date.parse('2026-03-01T10:00:00Z');
  const storage = more.storage ?? temporary();
  const wiki = createWiki({ now: () => clock++, ...(graph && { graph }) });
  const config = {
    folders: [{ name: 'ws', path: folder }],
    storage,
    writeEnabled: true,
    review: false,
    shareValues: false,
  };
  void wiki.configure({ ...config, ...more });
  const caller = { agent: 'default', thread: 'thread-1' };
  const page = { wiki_id: 'default', limit: 20, offset: 0 };
  return {
    wiki,
    folder,
    storage,
    page,
    setClock: (at: string) => {
      clock = Date.parse(at);
    },
    files: () => filesOf(join(folder, '.loci', 'wiki')),
    write: (content: string, more: Partial<WriteInput> = {}) =>
      wiki.write({
        qualified_name: REVENUE,
        content,
        commit_message: '',
        supersedes_key: null,
        category: 'final',
        privacy_class: 'metadata',
        wiki_id: 'default',
        caller,
        ...more,
      }),
    edit: (statement_id: string, more: Partial<EditInput>) =>
      wiki.edit({
        statement_id,
        content: null,
        commit_message: '',
        category: null,
        privacy_class: null,
        wiki_id: 'default',
        caller,
        ...more,
      }),
    read: (qualified_name = REVENUE) => wiki.read({ qualified_name, ...page }),
    texts: async (qualified_name = REVENUE) =>
      (await wiki.read({ qualified_name, ...page })).learnings.map(({ text }) => text),
    search: (query: string) => wiki.search({ query, ...page }),
    entries: () => wiki.entries({ status: null, limit: 100, offset: 0 }),
    approve: (statement_id: string) => wiki.approve({ statement_id }),
    reject: (statement_id: string) => wiki.reject({ statement_id }),
    remove: (statement_id: string) => wiki.remove({ statement_id }),
    put: (name: string, content: string | Uint8Array) => {
      mkdirSync(join(folder, '.loci', 'wiki'), { recursive: true });
      writeFileSync(join(folder, '.loci', 'wiki', name), content);
    },
  };
}

export type Colleague = ReturnType<typeof colleague>;

export function filesOf(folder: string): Record<string, string> {
  try {
    return Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
  } catch {
    return {};
  }
}

/** Runs git in a folder, as someone. */
export function git(folder: string, ...args: string[]): string {
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', '-c', 'init.defaultBranch=main'];
  return execFileSync('git', [...who, ...args], { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}
