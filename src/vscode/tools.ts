import * as vscode from 'vscode';
import type { App, Domains } from '../core/app.ts';
import { tools } from '../tools/index.ts';
import { type Call, confirmationOf, runTool } from '../tools/run.ts';
import type { Tool } from '../tools/tool.ts';
import { withSignal } from './cancellation.ts';
import { callerOf, runOf } from './chat-session.ts';
import { foreignToolsOf } from './foreign-tools.ts';

/** Registers every tool as `loci_<name>` for agent mode; `chat` compresses the chats with @loci. */
export function registerTools(app: App, chat: Domains['chat']): vscode.Disposable {
  const registered = tools.map((tool) =>
    vscode.lm.registerTool<Record<string, unknown>>(`loci_${tool.name}`, {
      async prepareInvocation({ input }, cancellation) {
        const confirmation = await withSignal(cancellation, (signal) => confirmationOf(tool, input, { app, signal }));
        return {
          invocationMessage: progressMessage(tool, input),
          ...(confirmation && {
            confirmationMessages: {
              title: confirmation.title,
              message: new vscode.MarkdownString(confirmation.message),
            },
          }),
        };
      },
      invoke: (options, cancellation) =>
        withSignal(cancellation, async (signal) => {
          const call: Call = {
            app,
            caller: callerOf(options),
            run: runOf(options),
            // The editor prepares every call before it makes it, and makes none that was declined.
            confirmed: true,
            foreign: foreignToolsOf(options.toolInvocationToken),
            chat,
            signal,
          };
          const { result, images } = await runTool(tool, options.input, call);
          return new vscode.LanguageModelToolResult([
            new vscode.LanguageModelTextPart(JSON.stringify(result)),
            ...images.map(({ bytes, mime }) => vscode.LanguageModelDataPart.image(bytes, mime)),
          ]);
        }),
    }),
  );
  return vscode.Disposable.from(...registered);
}

function progressMessage(tool: Tool, input: Record<string, unknown>): string {
  const subject = input.query ?? input.name ?? input.tool_name;
  return typeof subject === 'string' && subject !== ''
    ? vscode.l10n.t('{0}: {1}', tool.title, subject.length > 60 ? `${subject.slice(0, 60)}…` : subject)
    : tool.title;
}
