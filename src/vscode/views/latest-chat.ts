import * as vscode from 'vscode';
import type { App } from '../../core/app.ts';

/** The chat that last called Loci in this window: the one that the sidebar shows and changes. */
export interface LatestChat extends vscode.Disposable {
  /** Its thread; undefined until one has called. */
  readonly thread: string | undefined;
  /** Fires when another chat calls, and when this one calls or changes. */
  readonly onChange: vscode.Event<void>;
}

/** Sets the context key `loci.hasThread` once there is one. */
export function followLatestChat(app: App): LatestChat {
  const changed = new vscode.EventEmitter<void>();
  let latest: string | undefined;
  app.on('thread', ({ thread }) => {
    if (latest === undefined) void vscode.commands.executeCommand('setContext', 'loci.hasThread', true);
    latest = thread;
    changed.fire();
  });
  return {
    get thread() {
      return latest;
    },
    onChange: changed.event,
    dispose: () => changed.dispose(),
  };
}
