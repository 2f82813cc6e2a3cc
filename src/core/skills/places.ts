import { dirname, join } from 'node:path';
import type { Contribution, Customizations, WorkspaceFolder } from '../host.ts';
import { expandPath } from '../util/paths.ts';

export type Kind = Contribution['kind'];

/** Who put a file where it is. */
export type Source = 'workspace' | 'user' | 'setting' | `extension ${string}`;

/** What decides where skills, agents and prompts are looked for. */
export interface Surroundings extends Customizations {
  readonly folders: readonly WorkspaceFolder[];
  /** Setting `loci.skills.folders`. */
  readonly skillFolders: readonly string[];
}

/** A folder to look in, or a single contributed file. */
export interface Place {
  readonly kind: Kind;
  readonly source: Source;
  readonly path: string;
  /** Links found here must not lead out of this folder. */
  readonly within?: string;
  readonly contribution?: Contribution;
}

const IN_WORKSPACE: Readonly<Record<Kind, readonly string[]>> = {
  skill: ['.agents/skills', '.github/skills', '.claude/skills'],
  agent: ['.github/agents', '.claude/agents', '.github/chatmodes'],
  prompt: ['.github/prompts'],
};

const OF_USER: Readonly<Record<Kind, readonly string[]>> = {
  skill: ['~/.agents/skills', '~/.copilot/skills', '~/.claude/skills'],
  agent: ['~/.copilot/agents', '~/.claude/agents'],
  prompt: [],
};

/** Every place of a kind, those whose files win first: the workspace, settings, the person's, extensions. */
export function placesOf(kind: Kind, surroundings: Surroundings): Place[] {
  const { folders, home, skillFolders, locations, profile, contributions } = surroundings;
  const base = folders[0]?.path ?? home;
  const inHome = (path: string) => (path.startsWith('~/') ? join(home, path.slice(2)) : path);
  const inEach = (path: string) => folders.map((folder) => ({ path: join(folder.path, path), within: folder.path }));

  const switched = locations[kind] ?? {};
  const byDefault = (paths: readonly string[]) => paths.filter((path) => switched[path] !== false);
  const further = Object.keys(switched).filter(
    (path) => switched[path] && !IN_WORKSPACE[kind].includes(path) && !OF_USER[kind].includes(path),
  );

  const workspace = byDefault(IN_WORKSPACE[kind]).flatMap(inEach);
  const setting = [
    ...further.flatMap((path) => (/^(?:~\/|\/)/.test(path) ? inHome(path) : inEach(path).map((place) => place.path))),
    ...(kind === 'skill' ? skillFolders : []).map((path) => expandPath(inHome(path), base)),
  ];
  const user = [
    ...byDefault(OF_USER[kind]).map(inHome),
    ...(profile !== undefined && kind !== 'skill' ? [profile] : []),
  ];
  const all: Place[] = [
    ...workspace.map((place): Place => ({ kind, source: 'workspace', ...place })),
    ...setting.map((path): Place => ({ kind, source: 'setting', path })),
    ...user.map((path): Place => ({ kind, source: 'user', path })),
    ...contributions.filter((one) => one.kind === kind).map(contributed),
  ];
  return all.filter(({ path }, index) => all.findIndex((other) => other.path === path) === index);
}

function contributed(contribution: Contribution): Place {
  const { kind, owner, path } = contribution;
  const folder = kind === 'skill' && path.endsWith('.md') ? dirname(path) : path;
  return { kind, source: `extension ${owner}`, path: folder, contribution };
}
