import type { LoadThread } from './loader.ts';
import { lastAgent } from './sessions.ts';
import type { ThreadFile } from './stores.ts';

/** How long a thread's agent is taken to be the same: every call of a tool asks for it. */
const KEPT_MS = 5000;
const MOST_KEPT = 100;

/** Looks up the custom agent that a chat of the editor runs with, without the index; undefined for any other agent. */
export function createAgentLookup(
  load: LoadThread,
  list: () => Promise<readonly ThreadFile[]>,
): (id: string) => Promise<string | undefined> {
  const kept = new Map<string, { readonly agent: string | undefined; readonly until: number }>();
  /** Where a chat was found before: it stays there. */
  const places = new Map<string, ThreadFile>();
  return async (id) => {
    const known = kept.get(id);
    if (known && known.until > performance.now()) return known.agent;
    const agent = await read(id);
    if (kept.size >= MOST_KEPT) kept.clear();
    kept.set(id, { agent, until: performance.now() + KEPT_MS });
    return agent;
  };

  async function read(id: string): Promise<string | undefined> {
    const file = places.get(id) ?? (await list()).find((one) => one.id === id && one.format.startsWith('vscode'));
    const thread = file && (await load(file).catch(() => undefined))?.thread;
    if (thread) places.set(id, file);
    else places.delete(id);
    const last = thread && lastAgent(thread);
    return last !== undefined && thread!.customAgents.includes(last) ? last : undefined;
  }
}
