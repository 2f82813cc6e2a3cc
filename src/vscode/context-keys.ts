import * as vscode from 'vscode';
import type { App } from '../core/app.ts';
import { groups } from '../tools/groups.ts';

/** Keeps a context key for each tool group: while it is set, the editor offers the group's tools to agents. */
export function syncContextKeys(app: App): void {
  app.on('groups', (offered) => {
    for (const [name, { activation }] of Object.entries(groups)) {
      if (activation === 'always' || activation === 'private') continue;
      void vscode.commands.executeCommand('setContext', `loci.group.${name}`, offered.includes(name));
    }
  });
}
