import type { App } from '../../core/app.ts';
import { DEFAULT_AGENT } from '../../core/capabilities/world.ts';
import { UserError } from '../../core/errors.ts';
import { sessionKey } from '../../core/threads/sessions.ts';
import { toolNamed } from '../../tools/catalog.ts';
import { runTool } from '../../tools/run.ts';
import type { OwnChats } from './own-chats.ts';

export interface MemoryOf {
  readonly app: App;
  readonly chats: OwnChats;
  readonly thread: string;
}

/**
 * What a tool of Loci answers about a thread when a person asks, not a model: no budget counts it.
 * @throws UserError with the tool's own words where it refuses.
 */
export async function askTool<T>(
  name: string,
  { app, chats, thread }: MemoryOf,
  input: object,
  signal: AbortSignal,
): Promise<T> {
  const caller = { thread, agent: DEFAULT_AGENT };
  const call = { app, caller, chat: chats.methods, confirmed: true, signal };
  const { ok, result } = await runTool(toolNamed(name)!, input, call);
  if (ok) return result as T;
  throw new UserError(String(result.error_code), String(result.error), String(result.next_step));
}

/** The same of manage_thread_memory. */
export function askMemory<T>(of: MemoryOf, input: object, signal: AbortSignal): Promise<T> {
  return askTool('manage_thread_memory', of, { thread_id: of.thread, ...input }, signal);
}

/** The same for what @loci itself said in an editor's session, in which others may have answered too. */
export function askOwnMemory<T>(of: MemoryOf, input: object, signal: AbortSignal): Promise<T> {
  return askMemory(of, { thread_id: sessionKey(of.thread, true), ...input }, signal);
}
