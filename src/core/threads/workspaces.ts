import { readFile, realpath } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseUrl } from '../util/url.ts';
import { list, name, object } from './values.ts';

/** The workspace that a folder of `workspaceStorage` belongs to. */
export interface EditorWorkspace {
  /** Name of the folder without the suffix that VS Code adds while another window holds it. */
  readonly id: string;
  /** Absolute paths of its folders; empty when it is on another machine or cannot be told. */
  readonly folders: readonly string[];
  /** For people: the folder or workspace file. */
  readonly label: string;
}

/** A folder name without the `-1`, `-2`, … that a window's storage gets while another window holds the workspace. */
export function withoutSuffix(id: string): string {
  return id.replace(/-\d{1,3}$/, '');
}

/** Reads the `workspace.json` of one storage folder; undefined when there is none. */
export async function readWorkspace(storage: string, id: string): Promise<EditorWorkspace | undefined> {
  const stored = object(await readJson(join(storage, 'workspace.json')));
  const folder = name(stored.folder);
  if (folder !== undefined) {
    const path = pathOf(folder);
    return { id, folders: path === undefined ? [] : await withReal([path]), label: path ?? folder };
  }
  const file = name(stored.workspace) ?? name(stored.configuration);
  if (file === undefined) return undefined;
  const path = pathOf(file);
  return { id, folders: path === undefined ? [] : await withReal(await foldersOf(path)), label: path ?? file };
}

/** Folders, and where they really lie if a symbolic link leads there. */
export async function withReal(folders: readonly string[]): Promise<string[]> {
  const real = await Promise.all(folders.map((folder) => realpath(folder).catch(() => folder)));
  return [...new Set([...folders, ...real])];
}

/** The folders that a `.code-workspace` file names. Comments in it are not understood: it then counts as another one. */
async function foldersOf(file: string): Promise<string[]> {
  return list(object(await readJson(file)).folders).flatMap((entry) => {
    const { path, uri } = object(entry);
    const place = name(path);
    return place === undefined ? (pathOf(name(uri) ?? '') ?? []) : resolve(file, '..', place);
  });
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Path on this machine of a `file:` URI, or of a `vscode-remote:` one as a local server writes it; undefined for another
 * machine's (`ssh-remote+host`, `wsl+name`, …).
 */
function pathOf(uri: string): string | undefined {
  const url = parseUrl(uri);
  if (url?.protocol === 'vscode-remote:' && !/\+|%2b/i.test(url.host)) return safePath(`file://${url.pathname}`);
  return url?.protocol === 'file:' ? safePath(url.href) : undefined;
}

function safePath(href: string): string | undefined {
  try {
    return fileURLToPath(href);
  } catch {
    return undefined;
  }
}

/** Compares folders as the platform's file systems usually do. */
export function sameFolder(a: string, b: string): boolean {
  return key(a) === key(b);
}

/** True when `path` is one of the folders or lies in one. */
export function inFolders(folders: readonly string[], path: string): boolean {
  return folders.some((folder) => key(path) === key(folder) || key(path).startsWith(`${key(folder)}${sep}`));
}

function key(path: string): string {
  const whole = resolve(path);
  return process.platform === 'linux' ? whole : whole.toLowerCase();
}
