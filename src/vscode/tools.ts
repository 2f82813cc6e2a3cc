import * as vscode from 'vscode';
import type { App } from '../core/app.ts';
import type { Run } from '../core/budget.ts';
import { tools } from '../tools/index.ts';
import { runTool } from '../tools/run.ts';
import type { Tool } from '../tools/tool.ts';

/** What the editor passes to a call besides its typed options (seen in 1.139; absent elsewhere). */
interface UntypedOptions {
  readonly chatRequestId?: unknown;
}
interface UntypedToken {
  readonly sessionResource?: unknown;
}

/** Registers every tool as `loci_<name>` for agent mode. */
export function registerTools(app: App): vscode.Disposable {
  const registered = tools.map((tool) =>
    vscode.lm.registerTool<Record<string, unknown>>(`loci_${tool.name}`, {
      prepareInvocation(options) {
        return { invocationMessage: progressMessage(tool, options.input) };
      },
      async invoke(options, cancellation) {
        const abort = new AbortController();
        const listening = cancellation.onCancellationRequested(() => abort.abort());
        try {
          const run = runOf(options);
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

/** One run is one chat request; where the editor does not tell requests apart, the session until it pauses. */
function runOf(options: vscode.LanguageModelToolInvocationOptions<unknown>): Run | undefined {
  const session = (options.toolInvocationToken as UntypedToken | undefined)?.sessionResource;
  if (!session) return undefined;
  const { chatRequestId: request } = options as UntypedOptions;
  return typeof request === 'string'
    ? { id: `${session}#${request}`, kept: false }
    : { id: String(session), kept: true };
}

function progressMessage(tool: Tool, input: Record<string, unknown>): string {
  const subject = input.query ?? input.name;
  return typeof subject === 'string' && subject !== ''
    ? vscode.l10n.t('{0}: {1}', tool.title, subject.length > 60 ? `${subject.slice(0, 60)}…` : subject)
    : tool.title;
}
