import * as vscode from 'vscode';
import type { ViewId } from '../manifest.ts';

/** What a tree shows; asked again for everything that is visible whenever the tree is refreshed. */
export interface TreeSource<Node> {
  roots(): Promise<readonly Node[]>;
  children(node: Node): Promise<readonly Node[]>;
  item(node: Node): vscode.TreeItem;
}

export interface Tree<Node extends object> extends vscode.Disposable {
  readonly view: vscode.TreeView<Node>;
  /** Shows what there is now, in a moment: changes come in bursts. */
  refresh(): void;
}

const GATHER_MS = 200;

/** A tree view. A failure is told in the view and in the log, and the next refresh tries again. */
export function createTree<Node extends object>(
  id: ViewId,
  source: TreeSource<Node>,
  report: (error: unknown) => void,
): Tree<Node> {
  const changed = new vscode.EventEmitter<Node | undefined>();
  let timer: NodeJS.Timeout | undefined;
  let failed = false;

  const tell = (error: unknown): Node[] => {
    failed = true;
    report(error);
    view.message = vscode.l10n.t('This could not be read: {0}', firstLine(error));
    return [];
  };

  const view: vscode.TreeView<Node> = vscode.window.createTreeView<Node>(id, {
    showCollapseAll: true,
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      getTreeItem: (node) => source.item(node),
      async getChildren(node) {
        try {
          const nodes = await (node === undefined ? source.roots() : source.children(node));
          if (failed && node === undefined) {
            failed = false;
            view.message = '';
          }
          return [...nodes];
        } catch (error) {
          return tell(error);
        }
      },
    },
  });

  return {
    view,
    refresh() {
      timer ??= setTimeout(() => {
        timer = undefined;
        changed.fire(undefined);
      }, GATHER_MS);
    },
    dispose() {
      clearTimeout(timer);
      view.dispose();
      changed.dispose();
    },
  };
}

/** What went wrong, without the stack that a failure of the worker brings along; the log has it. */
function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0]!;
}
