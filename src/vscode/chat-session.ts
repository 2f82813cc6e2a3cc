import type * as vscode from 'vscode';
import type { Run } from '../core/budget.ts';
import type { Caller } from '../tools/tool.ts';

/** What the editor passes to a call besides its typed options (seen in 1.139; absent elsewhere). */
interface UntypedOptions {
  readonly chatRequestId?: unknown;
}
interface UntypedToken {
  readonly sessionResource?: unknown;
}

type Options = vscode.LanguageModelToolInvocationOptions<unknown>;

/** The requests that @loci is answering, by chat session: the calls it makes may name none. */
const ownRuns = new Map<string, Run>();

/** The chat session a call belongs to; undefined where the editor does not say. */
export function callerOf({ toolInvocationToken }: Pick<Options, 'toolInvocationToken'>): Caller {
  const session = sessionOf(toolInvocationToken);
  return { thread: session === undefined ? undefined : threadOf(session), agent: undefined };
}

/** Counts what a chat calls from now on, until it is disposed, as one run. */
export function startRun(token: unknown, id: string): { readonly run: Run; dispose(): void } {
  const session = sessionOf(token) ?? id;
  const run = { id: `${session}#${id}`, kept: false };
  ownRuns.set(session, run);
  return {
    run,
    dispose() {
      if (ownRuns.get(session) === run) ownRuns.delete(session);
    },
  };
}

/** One run is one chat request; where the editor does not tell requests apart, the session until it pauses. */
export function runOf(options: Options): Run | undefined {
  const session = sessionOf(options.toolInvocationToken);
  if (session === undefined) return undefined;
  const own = ownRuns.get(session);
  if (own) return own;
  const { chatRequestId: request } = options as UntypedOptions;
  return typeof request === 'string' ? { id: `${session}#${request}`, kept: false } : { id: session, kept: true };
}

/** The chat session that a token of the editor belongs to. */
function sessionOf(token: unknown): string | undefined {
  const session = (token as UntypedToken | undefined)?.sessionResource;
  return session ? String(session) : undefined;
}

/** The session id inside `vscode-chat-session://local/<base64url of the id>`; another form stands for itself. */
function threadOf(session: string): string {
  const encoded = /^vscode-chat-session:\/\/local\/([\w%-]+)$/.exec(session)?.[1];
  if (encoded === undefined) return session;
  const id = Buffer.from(decodeURIComponent(encoded), 'base64url').toString('utf8');
  return /^[\x21-\x7e]+$/.test(id) ? id : session;
}
