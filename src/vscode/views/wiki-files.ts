import * as vscode from 'vscode';
import type { App } from '../../core/app.ts';
import { UserError } from '../../core/errors.ts';

const SCHEME = 'loci-wiki';

/** The address of a learning's text as a document that can be edited. */
export function learningUri(statementId: string): vscode.Uri {
  return vscode.Uri.from({ scheme: SCHEME, path: `/${statementId}.md` });
}

/** Learnings as documents: opening one shows its text, saving it is an edit by the person. */
export function registerWikiFiles(app: App, onEdit: () => void): vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  const versions = new Map<string, number>();
  const idOf = (uri: vscode.Uri) => uri.path.slice(1).replace(/\.md$/, '');

  const textOf = async (uri: vscode.Uri): Promise<Uint8Array> => {
    const { items } = await app.wiki.entries({ status: null, limit: Number.MAX_SAFE_INTEGER, offset: 0 });
    const learning = items.find(({ statement_id }) => statement_id === idOf(uri));
    if (!learning) throw vscode.FileSystemError.FileNotFound(uri);
    return Buffer.from((learning.proposed ?? learning).text, 'utf8');
  };
  const refuse = (uri: vscode.Uri) => {
    throw vscode.FileSystemError.NoPermissions(uri);
  };

  const provider: vscode.FileSystemProvider = {
    onDidChangeFile: changed.event,
    watch: () => new vscode.Disposable(() => {}),
    async stat(uri) {
      const { length } = await textOf(uri);
      return { type: vscode.FileType.File, ctime: 0, mtime: versions.get(uri.path) ?? 1, size: length };
    },
    readFile: textOf,
    async writeFile(uri, content) {
      const edit = { statement_id: idOf(uri), commit_message: '', category: null, privacy_class: null };
      try {
        await app.wiki.revise({ ...edit, content: Buffer.from(content).toString('utf8') });
      } catch (error) {
        if (!(error instanceof UserError)) throw error;
        throw new vscode.FileSystemError(`${error.message} ${error.next}`);
      }
      versions.set(uri.path, Date.now());
      changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
      onEdit();
    },
    readDirectory: () => [],
    createDirectory: refuse,
    delete: refuse,
    rename: refuse,
  };
  return vscode.Disposable.from(
    changed,
    vscode.workspace.registerFileSystemProvider(SCHEME, provider, { isCaseSensitive: true }),
  );
}
