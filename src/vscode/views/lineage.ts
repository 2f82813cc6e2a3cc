import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import * as vscode from 'vscode';
import * as z from 'zod';
import type { App } from '../../core/app.ts';
import { openAt } from './data-tree.ts';
import { lineagePage, type Picture } from './lineage-page.ts';

/** What the page asks for: nothing else of it is believed. */
const Message = z.object({
  action: z.enum(['open', 'columns', 'column', 'more']),
  name: z.string().max(2000).default(''),
});

export interface Lineage extends vscode.Disposable {
  /** Shows where an asset's data comes from and goes to, in a panel of its own. */
  show(qualifiedName: string): Promise<void>;
}

const FIRST_DEPTH = 2;
const MOST_DEPTH = 20;
const MOST_NODES = 300;

export function createLineage(app: App, report: (error: unknown) => void): Lineage {
  const media = vscode.Uri.file(join(app.host.media, 'lineage'));
  const panels = new Set<vscode.WebviewPanel>();
  return {
    async show(name) {
      let depth = FIRST_DEPTH;
      let selected: string | undefined;
      const open = new Set<string>();
      const load = (): Promise<Picture> => app.graph.picture({ qualified_name: name, depth, max_nodes: MOST_NODES });
      let picture = await load();
      const title = vscode.l10n.t('Lineage of {0}', name.split('/').at(-1)!);
      const panel = vscode.window.createWebviewPanel('loci.lineage', title, vscode.ViewColumn.Active, {
        enableScripts: true,
        localResourceRoots: [media],
        retainContextWhenHidden: true,
      });
      panels.add(panel);
      panel.onDidDispose(() => panels.delete(panel));
      panel.iconPath = new vscode.ThemeIcon('type-hierarchy');
      const address = (file: string) => panel.webview.asWebviewUri(vscode.Uri.joinPath(media, file)).toString();
      const render = () => {
        panel.webview.html = lineagePage({
          picture,
          open,
          selected,
          nonce: randomBytes(16).toString('base64'),
          script: address('lineage.js'),
          style: address('lineage.css'),
          source: panel.webview.cspSource,
        });
      };
      const act = async (message: unknown): Promise<void> => {
        const parsed = Message.safeParse(message);
        if (!parsed.success) return;
        const { action, name: of } = parsed.data;
        if (action === 'open') {
          const node = picture.nodes.find(({ qualified_name }) => qualified_name === of);
          if (node?.path === undefined) return;
          const { command, arguments: args = [] } = openAt(node.path, node.line);
          await vscode.commands.executeCommand(command, ...args);
          return;
        }
        if (action === 'more') {
          depth = Math.min(depth + 1, MOST_DEPTH);
          picture = await load();
        } else if (action === 'columns') {
          if (!open.delete(of)) open.add(of);
        } else {
          selected = selected === of ? undefined : of;
        }
        render();
      };
      panel.webview.onDidReceiveMessage((message) => void act(message).catch(report));
      render();
    },
    dispose() {
      for (const panel of panels) panel.dispose();
    },
  };
}
