import type { Entry, Library } from './library.ts';

/** Which threads a search may look at. */
export interface Choice {
  /** Agents whose threads are meant; null for the caller's own. */
  readonly agent_ids: readonly string[] | null;
  readonly include_hidden: boolean;
  /** The caller's custom agent; undefined for the default agent. */
  readonly caller_agent: string | undefined;
  /** Never found: its own messages are searched with manage_thread_memory. */
  readonly caller_thread: string | undefined;
}

export interface Chosen {
  readonly entries: readonly Entry[];
  readonly coverage: SearchCoverage;
}

/** What an answer rests on, and what was left out of it. */
export interface SearchCoverage {
  readonly threads_searched: number;
  /** Threads whose files are still to be read: ask again in a moment. */
  readonly pending?: number;
  readonly unreadable?: number;
  /** The first of them, with the reason. */
  readonly unreadable_files?: readonly { readonly path: string; readonly reason: string }[];
  readonly other_workspaces_not_searched?: number;
  readonly background_not_searched?: number;
  /** Threads by agent. */
  readonly other_agents_not_searched?: Readonly<Record<string, number>>;
}

/** Threads of the named agents; by default those of the caller's agent, or for the default agent of all but custom ones. */
export function choose(library: Library, choice: Choice): Chosen {
  const { pending, broken, otherWorkspaces } = library.coverage();
  let background = 0;
  const otherAgents = new Map<string, number>();
  const entries = library.entries.filter(({ digest }) => {
    if (digest.id === choice.caller_thread) return false;
    if (digest.background && !choice.include_hidden) {
      background++;
      return false;
    }
    if (isOfAgent(digest, choice)) return true;
    const agent = digest.agents.at(-1) ?? 'unknown';
    otherAgents.set(agent, (otherAgents.get(agent) ?? 0) + 1);
    return false;
  });
  const coverage = {
    threads_searched: entries.length,
    ...(pending > 0 && { pending }),
    ...(broken.length > 0 && { unreadable: broken.length, unreadable_files: broken.slice(0, 3) }),
    ...(otherWorkspaces > 0 && { other_workspaces_not_searched: otherWorkspaces }),
    ...(background > 0 && { background_not_searched: background }),
    ...(otherAgents.size > 0 && { other_agents_not_searched: Object.fromEntries([...otherAgents].slice(0, 10)) }),
  };
  return { entries, coverage };
}

function isOfAgent(
  { agents, customAgents }: { readonly agents: readonly string[]; readonly customAgents: readonly string[] },
  { agent_ids: wanted, caller_agent: caller }: Choice,
): boolean {
  const names = wanted?.length ? wanted : caller === undefined ? undefined : [caller];
  if (names?.some((name) => name === '*' || name.toLowerCase() === 'all')) return true;
  if (names === undefined) {
    return customAgents.length === 0 || agents.some((agent) => !customAgents.includes(agent));
  }
  const lower = new Set(names.map((name) => name.toLowerCase()));
  return agents.some((agent) => lower.has(agent.toLowerCase()));
}
