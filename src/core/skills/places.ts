import { dirname, isAbsolute, join } from 'node:path';
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
  const switched = locations[kind] ?? {};
  const isOn = (path: string) => switched[path] !== false;
  const inHome = (path: string) => (path.startsWith('~/') ? join(home, path.slice(2)) : path);

  const inWorkspace = (path: string, source: Source): Place[] =>
    folders.map((folder) => ({ kind, source, path: join(folder.path, path), within: folder.path }));
  const further = Object.keys(switched).filter(
    (path) => switched[path] === true && ![...IN_WORKSPACE[kind], ...OF_USER[kind]].includes(path),
  );
  const own = kind === 'skill' ? skillFolders : [];
  const base = folders[0]?.path ?? home;

  const all: Place[] = [
    ...IN_WORKSPACE[kind].filter(isOn).flatMap((path) => inWorkspace(path, 'workspace')),
    ...further.flatMap((path): Place[] => {
      if (path.startsWith('~/') || isAbsolute(path)) return [{ kind, source: 'setting', path: inHome(path) }];
      return inWorkspace(path, 'setting').map(({ within: _, ...place }) => place);
    }),
    ...own.map((path): Place => ({ kind, source: 'setting', path: expandPath(inHome(path), base) })),
    ...OF_USER[kind].filter(isOn).map((path): Place => ({ kind, source: 'user', path: inHome(path) })),
    ...(profile && kind !== 'skill' ? [{ kind, source: 'user' as const, path: profile }] : []),
    ...contributions
      .filter((contribution) => contribution.kind === kind)
      .map((contribution): Place => {
        const { owner, path } = contribution;
        const folder = kind === 'skill' && path.endsWith('.md') ? dirname(path) : path;
        return { kind, source: `extension ${owner}`, path: folder, contribution };
      }),
  ];
  return all.filter(({ path }, index) => all.findIndex((other) => other.path === path) === index);
}
