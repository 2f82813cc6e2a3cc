import type { Dirent } from 'node:fs';
import { open, readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { ChatStores } from '../host.ts';
import { sha256 } from '../util/hash.ts';
import { type EditorWorkspace, inFolders, readWorkspace, sameFolder, withoutSuffix } from './workspaces.ts';

export type FileFormat = 'vscode-log' | 'vscode-json' | 'copilot-transcript' | 'copilot-cli' | 'claude-code' | 'loci';

/** One file that holds a thread. */
export interface ThreadFile {
  readonly path: string;
  readonly format: FileFormat;
  /** Id that the file's name gives the thread. */
  readonly id: string;
  /** Whether it belongs to the open workspace, to no workspace (an empty window) or to another one. */
  readonly place: 'current' | 'none' | 'other';
  /** The folder or workspace file, for people. */
  readonly workspace?: string;
}

/**
 * Lists every thread's file. Folders that are missing or closed to us hold none. `own` is the folder of the chats with
 * @loci, with one folder a workspace.
 */
export async function listThreadFiles(
  stores: ChatStores,
  own: string,
  folders: readonly string[],
): Promise<ThreadFile[]> {
  const lists = await Promise.all([
    ownFiles(own, folders),
    ...stores.userData.map((user) => editorFiles(user, stores, folders)),
    cliFiles(join(stores.home, '.copilot', 'session-state'), folders),
    claudeFiles(join(stores.home, '.claude', 'projects'), folders),
  ]);
  return lists.flat();
}

async function ownFiles(root: string, folders: readonly string[]): Promise<ThreadFile[]> {
  const open = sha256(folders[0] ?? '').slice(0, 16);
  const found: ThreadFile[] = [];
  for (const { name } of (await entries(root)).filter(isFolder)) {
    const place = name === open ? 'current' : 'other';
    for (const entry of await entries(join(root, name))) {
      if (entry.name.endsWith('.jsonl')) found.push({ place, ...file(join(root, name), entry.name, 'loci') });
    }
  }
  return found;
}

async function editorFiles(user: string, stores: ChatStores, folders: readonly string[]): Promise<ThreadFile[]> {
  const root = join(user, 'workspaceStorage');
  const own = stores.workspaceStorage && dirname(stores.workspaceStorage);
  const ids = (await entries(root)).filter(isFolder).map((entry) => entry.name);
  const present = new Set(ids);
  const files = async (id: string): Promise<ThreadFile[]> => {
    // Only beside the folder it is a suffix of: a name may end in a number of its own.
    const base = present.has(withoutSuffix(id)) ? withoutSuffix(id) : id;
    const workspace = (await workspaceAt(join(root, base), base)) ?? (await workspaceAt(join(root, id), base));
    const isOwn = own !== undefined && sameFolder(dirname(own), root) && withoutSuffix(basename(own)) === base;
    const isOpen = isOwn || workspace?.folders.some((path) => folders.some((folder) => sameFolder(folder, path)));
    const place = isOpen ? 'current' : 'other';
    const about = { place, ...(workspace && { workspace: workspace.label }) } as const;
    const sessions = await sessionFiles(join(root, id, 'chatSessions'), about);
    const folder = join(root, id, 'GitHub.copilot-chat', 'transcripts');
    const transcripts = (await entries(folder)).filter(({ name }) => name.endsWith('.jsonl'));
    return [...sessions, ...transcripts.map(({ name }) => ({ ...about, ...file(folder, name, 'copilot-transcript') }))];
  };
  const empty = join(user, 'globalStorage', 'emptyWindowChatSessions');
  return (await Promise.all([...ids.map(files), sessionFiles(empty, { place: 'none' })])).flat();
}

const workspaces = new Map<string, EditorWorkspace>();

/** What a storage folder belongs to never changes, once it is written down. */
async function workspaceAt(storage: string, id: string): Promise<EditorWorkspace | undefined> {
  const known = workspaces.get(storage) ?? (await readWorkspace(storage, id));
  if (known !== undefined) workspaces.set(storage, known);
  return known;
}

async function sessionFiles(
  folder: string,
  about: Pick<ThreadFile, 'place' | 'workspace'>,
): Promise<readonly ThreadFile[]> {
  return (await entries(folder)).flatMap(({ name }) => {
    if (name.endsWith('.jsonl')) return [{ ...about, ...file(folder, name, 'vscode-log') }];
    return name.endsWith('.json') ? [{ ...about, ...file(folder, name, 'vscode-json') }] : [];
  });
}

function file(folder: string, name: string, format: FileFormat): Pick<ThreadFile, 'path' | 'format' | 'id'> {
  return { path: join(folder, name), format, id: name.replace(/\.jsonl?$/, '') };
}

async function cliFiles(root: string, folders: readonly string[]): Promise<ThreadFile[]> {
  const found: ThreadFile[] = [];
  for (const entry of await entries(root)) {
    const path = isFolder(entry) ? join(root, entry.name, 'events.jsonl') : join(root, entry.name);
    if (!path.endsWith('.jsonl') || (isFolder(entry) && !(await isFile(path)))) continue;
    const workspace = await cliFolder(path);
    const place = workspace !== undefined && inFolders(folders, workspace) ? 'current' : 'other';
    const id = entry.name.replace(/\.jsonl$/, '');
    found.push({ path, format: 'copilot-cli', id, place, ...(workspace && { workspace }) });
  }
  return found;
}

const cliFolders = new Map<string, string>();

/** The folder a Copilot CLI session was started in: `cwd` of its workspace.yaml, or of its first event. */
async function cliFolder(path: string): Promise<string | undefined> {
  const known = cliFolders.get(path);
  if (known !== undefined) return known;
  const yaml = await readFile(join(dirname(path), 'workspace.yaml'), 'utf8').catch(() => '');
  const cwd =
    /^cwd: *["']?(.+?)["']? *$/m.exec(yaml)?.[1] ??
    jsonString(/"cwd": ?("(?:[^"\\]|\\.)*")/.exec(await head(path))?.[1]);
  if (cwd !== undefined) cliFolders.set(path, cwd);
  return cwd;
}

function jsonString(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as string);
  } catch {
    return undefined;
  }
}

/** The first few kilobytes of a file. */
async function head(path: string): Promise<string> {
  try {
    const handle = await open(path);
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(8192), 0, 8192, 0);
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch {
    return '';
  }
}

/**
 * Claude Code names a project's folder after its path, with `-` for every other character: a folder that could be the
 * open one's is taken for it here, and the transcript's own `cwd` decides once it is read.
 */
async function claudeFiles(root: string, folders: readonly string[]): Promise<ThreadFile[]> {
  const wanted = folders.map(projectName);
  const found: ThreadFile[] = [];
  for (const project of (await entries(root)).filter(isFolder)) {
    const open = wanted.some((name) => project.name === name || project.name.startsWith(`${name}-`));
    const about = { place: open ? 'current' : 'other', workspace: project.name } as const;
    for (const entry of await entries(join(root, project.name))) {
      const folder = join(root, project.name);
      if (entry.name.endsWith('.jsonl')) found.push({ ...about, ...file(folder, entry.name, 'claude-code') });
      if (!isFolder(entry)) continue;
      const subagents = join(folder, entry.name, 'subagents');
      for (const { name } of await entries(subagents)) {
        if (name.endsWith('.jsonl')) found.push({ ...about, ...file(subagents, name, 'claude-code') });
      }
    }
  }
  return found;
}

function projectName(folder: string): string {
  return folder.replace(/[^a-zA-Z0-9]/g, '-');
}

async function entries(folder: string): Promise<Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch(() => []);
}

function isFolder(entry: Dirent): boolean {
  return entry.isDirectory() || entry.isSymbolicLink();
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (info) => info.isFile(),
    () => false,
  );
}
