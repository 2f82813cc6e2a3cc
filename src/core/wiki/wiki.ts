import { UserError } from '../errors.ts';
import type { WorkspaceFolder } from '../host.ts';
import type { WikiGraph } from './graph.ts';
import { openLedger } from './ledger.ts';
import { listPages } from './list-pages.ts';
import { type OverlayInput, overlays } from './overlays.ts';
import type { Writer } from './provenance.ts';
import { readPage } from './read-page.ts';
import { approve, type Decision, type EntriesInput, entries, history, reject, remove, revise } from './review.ts';
import { searchPages } from './search-pages.ts';
import type { Sources } from './sources.ts';
import { createWikiStore, shelvesOf } from './store.ts';
import { type EditInput, edit, type WriteInput, write } from './writing.ts';

export interface WikiConfig {
  readonly folders: readonly WorkspaceFolder[];
  readonly storage: string;
  /** Whether agents may write. */
  readonly writeEnabled: boolean;
  /** Whether what agents write waits for a person. */
  readonly review: boolean;
  /** Whether learnings that contain values may lie in the workspace. */
  readonly shareValues: boolean;
}

export interface WikiOptions {
  /** The graph of data assets, whose nodes have pages; absent, pages hold learnings only. */
  readonly graph?: WikiGraph;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** Which agent calls from which chat, as the door knows it. */
interface Caller {
  readonly agent: string | undefined;
  readonly thread: string | undefined;
}

interface AgentWrite {
  readonly wiki_id: string;
  readonly caller: Caller;
}

interface Paged {
  readonly wiki_id: string;
  readonly limit: number;
  readonly offset: number;
}

/**
 * The team wiki: pages about data assets, and what people and agents learned about them, kept as files in the
 * workspace.
 */
export function createWiki({ graph, now }: WikiOptions) {
  const store = createWikiStore();
  let config: WikiConfig | undefined;
  let writing: Promise<unknown> = Promise.resolve();

  const ledger = () => {
    if (!config) throw new Error('the wiki is not configured');
    const { folders, storage, review, shareValues } = config;
    return openLedger({ store, shelves: shelvesOf(folders, storage), review, shareValues, now });
  };

  const sources = async (): Promise<Sources> => ({ learnings: (await ledger().read()).learnings, graph });

  /** One write at a time, so that a retry sees what the first call wrote. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = writing.then(work, work);
    writing = result.catch(() => undefined);
    return result;
  };

  const mayWrite = () => {
    if (config?.writeEnabled) return;
    throw new UserError(
      'wiki_write_disabled',
      'Writing to the wiki is switched off.',
      'A person can switch it on with the setting loci.wiki.writeEnabled. Until then, tell them what you learned.',
    );
  };

  return {
    async configure(next: WikiConfig) {
      config = next;
    },
    async search({ query, wiki_id, ...window }: Paged & { query: string }, signal?: AbortSignal) {
      theWiki(wiki_id);
      return searchPages(await sources(), query, window, signal);
    },
    async list({ prefix, wiki_id, ...window }: Paged & { prefix: string }, signal?: AbortSignal) {
      theWiki(wiki_id);
      return listPages(await sources(), prefix, window, signal);
    },
    async read({ qualified_name, wiki_id, ...window }: Paged & { qualified_name: string }, signal?: AbortSignal) {
      theWiki(wiki_id);
      return readPage(await sources(), qualified_name, window, signal);
    },
    async write({ wiki_id, caller, ...input }: WriteInput & AgentWrite) {
      theWiki(wiki_id);
      mayWrite();
      return inTurn(() => write(ledger(), input, byAgent(caller)));
    },
    async edit({ wiki_id, caller, ...input }: EditInput & AgentWrite) {
      theWiki(wiki_id);
      mayWrite();
      return inTurn(() => edit(ledger(), input, byAgent(caller)));
    },
    /** Active learnings for other domains: on given assets, and by their words. */
    overlays: async (input: OverlayInput) => overlays((await sources()).learnings, input),

    /** For the Wiki view: learnings of every status, and files that could not be read. */
    entries: (input: EntriesInput) => entries(ledger(), input),
    history: (input: { readonly statement_id: string }) => history(ledger(), input),
    approve: (input: Decision) => inTurn(() => approve(ledger(), input)),
    reject: (input: Decision) => inTurn(() => reject(ledger(), input)),
    remove: (input: Decision) => inTurn(() => remove(ledger(), input)),
    revise: (input: EditInput) => inTurn(() => revise(ledger(), input)),
  };
}

/**
 * The channel follows from the thread, which the door names: MCP's begin with `mcp-`, the command line has none by
 * itself.
 */
function byAgent({ agent = 'default', thread }: Caller): Writer {
  if (thread === undefined) return { agent, channel: 'cli' };
  return { agent, thread, channel: thread.startsWith('mcp-') ? 'mcp' : 'chat' };
}

function theWiki(id: string): void {
  if (id.trim() === 'default' || id.trim() === '') return;
  throw new UserError(
    'unknown_wiki',
    `There is no wiki "${id.slice(0, 80)}".`,
    'Leave wiki_id out: there is one, "default".',
  );
}
