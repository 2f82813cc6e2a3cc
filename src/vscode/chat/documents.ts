import { join } from 'node:path';
import * as vscode from 'vscode';

const MOST_OF_ONE_CALL = 5;

/** Shows the documents that a result of one of Loci's tools is from, each once, beside the answer. */
export function documentShower(stream: vscode.ChatResponseStream): (result: unknown) => Promise<void> {
  const shown = new Set<string>();
  return async (result) => {
    for (const path of [...new Set(pathsIn(result))].slice(0, MOST_OF_ONE_CALL)) {
      const uri = await fileAt(path);
      if (!uri || shown.has(uri.toString())) continue;
      shown.add(uri.toString());
      stream.reference(uri);
    }
  };
}

function pathsIn(result: unknown): string[] {
  const { path, doc_path, results } = (result ?? {}) as { path?: unknown; doc_path?: unknown; results?: unknown };
  const own = [path, doc_path].filter((one) => typeof one === 'string');
  return Array.isArray(results) ? [...own, ...results.flatMap(pathsIn)] : own;
}

/** The file that a document's path means: relative to a folder of the workspace, with its name before it or not. */
async function fileAt(path: string): Promise<vscode.Uri | undefined> {
  for (const { name, uri } of vscode.workspace.workspaceFolders ?? []) {
    const relative = path.startsWith(`${name}/`) ? [path, path.slice(name.length + 1)] : [path];
    for (const one of relative) {
      const candidate = uri.with({ path: join(uri.path, one) });
      if (await exists(candidate)) return candidate;
    }
  }
  return undefined;
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  return vscode.workspace.fs.stat(uri).then(
    ({ type }) => (type & vscode.FileType.File) !== 0,
    () => false,
  );
}
