import * as vscode from 'vscode';
import type { App } from '../core/app.ts';
import type { Run } from '../core/budget.ts';
import { tools } from '../tools/index.ts';
import { runTool } from '../tools/run.ts';
import type { Tool } from '../tools/tool.ts';

/** What the editor passes at run time besides its typed options (seen in 1.139; absent elsewhere). */
interface UntypedPrepare {
  readonly chatRequestId?: unknown;
  readonly chatSessionResource?: unknown;
}
interface UntypedToken {
  readonly sessionResource?: unknown;
}

/** Sessions whose latest request is remembered. */
const SESSIONS_HELD = 100;

/** Registers every tool as `loci_<name>` for agent mode. */
export function registerTools(app: App): vscode.Disposable {
  const latestRequest = new Map<string, string>();

  const remember = (options: object) => {
    const { chatRequestId, chatSessionResource } = options as UntypedPrepare;
    if (typeof chatRequestId !== 'string' || !chatSessionResource) return;
    const session = String(chatSessionResource);
    latestRequest.delete(session);
    latestRequest.set(session, chatRequestId);
    if (latestRequest.size > SESSIONS_HELD) latestRequest.delete(latestRequest.keys().next().value!);
  };

  /** One run is one chat request; where the editor does not tell requests apart, the session until it pauses. */
  const runOf = (token: unknown): Run | undefined => {
    const session = (token as UntypedToken | undefined)?.sessionResource;
    if (!session) return undefined;
    const request = latestRequest.get(String(session));
    return request ? { id: `${session}#${request}`, kept: false } : { id: String(session), kept: true };
  };

  const registered = tools.map((tool) =>
    vscode.lm.registerTool<Record<string, unknown>>(`loci_${tool.name}`, {
      prepareInvocation(options) {
        remember(options);
        return { invocationMessage: progressMessage(tool, options.input) };
      },
      async invoke(options, cancellation) {
        const abort = new AbortController();
        const listening = cancellation.onCancellationRequested(() => abort.abort());
        try {
          const run = runOf(options.toolInvocationToken);
          const { result, images } = await runTool(tool, options.input, { app, run, signal: abort.signal });
          return new vscode.LanguageModelToolResult([
            new vscode.LanguageModelTextPart(JSON.stringify(result)),
            ...images.map(({ bytes, mime }) => vscode.LanguageModelDataPart.image(bytes, mime)),
          ]);
        } finally {
          listening.dispose();
        }
      },
    }),
  );
  return vscode.Disposable.from(...registered);
}

function progressMessage(tool: Tool, input: Record<string, unknown>): string {
  const subject = input.query ?? input.name;
  return typeof subject === 'string' && subject !== ''
    ? vscode.l10n.t('{0}: {1}', tool.title, subject.length > 60 ? `${subject.slice(0, 60)}…` : subject)
    : tool.title;
}
