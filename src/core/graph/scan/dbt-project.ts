import { posix } from 'node:path';
import { readYaml } from '../../util/yaml-source.ts';
import type { DbtRole, FragmentProblem } from '../fragment.ts';
import { described, fieldsOf, stringsOf } from './text.ts';

/** A dbt project as its dbt_project.yml lays it out. */
export interface DbtProject {
  /** Folder of the dbt_project.yml, as in `Place.file`; empty for a workspace folder itself. */
  readonly root: string;
  readonly name: string;
  readonly description?: string;
  /** Folders of each kind of file, from `root`. */
  readonly paths: Readonly<Record<'model' | 'seed' | 'snapshot' | 'analysis' | 'test' | 'macro', readonly string[]>>;
  /** Folders that dbt itself fills. */
  readonly target: string;
  readonly generated: readonly string[];
  /** `models:`, `seeds:` and `snapshots:` of the file: settings by folder. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly problems: readonly FragmentProblem[];
}

const DEFAULT_PATHS = {
  model: ['models'],
  seed: ['seeds', 'data'],
  snapshot: ['snapshots'],
  analysis: ['analyses', 'analysis'],
  test: ['tests'],
  macro: ['macros'],
};

export function readDbtProject(file: string, text: string): DbtProject {
  const { value, problems } = readYaml(text);
  const root = posix.dirname(file) === '.' ? '' : posix.dirname(file);
  const fields = fieldsOf(value);
  const target = described(fields['target-path']) ?? 'target';
  const folders = (kind: keyof typeof DEFAULT_PATHS, key: string, old = key) => {
    const said = [...stringsOf(fields[key]), ...stringsOf(fields[old])];
    return said.length > 0 ? said.map((path) => posix.normalize(path).replace(/\/$/, '')) : DEFAULT_PATHS[kind];
  };
  return {
    root,
    name: described(fields.name) ?? (posix.basename(root) || 'project'),
    ...(described(fields.description) && { description: described(fields.description)! }),
    paths: {
      model: folders('model', 'model-paths', 'source-paths'),
      seed: folders('seed', 'seed-paths', 'data-paths'),
      snapshot: folders('snapshot', 'snapshot-paths'),
      analysis: folders('analysis', 'analysis-paths'),
      test: folders('test', 'test-paths'),
      macro: folders('macro', 'macro-paths'),
    },
    target,
    generated: [target, described(fields['packages-install-path']) ?? 'dbt_packages', 'dbt_modules', 'logs'],
    settings: fields,
    problems,
  };
}

/** The project that a file belongs to, and as what: `generated` for dbt's own output, which is not read. */
export function roleIn(
  projects: readonly DbtProject[],
  path: string,
): { project: DbtProject; role: DbtRole | 'generated' } | undefined {
  const owners = projects.filter(({ root }) => root === '' || path.startsWith(`${root}/`));
  const project = owners.reduce<DbtProject | undefined>(
    (best, next) => (best && best.root.length >= next.root.length ? best : next),
    undefined,
  );
  if (!project) return undefined;
  const inside = project.root === '' ? path : path.slice(project.root.length + 1);
  const lies = (folders: readonly string[]) => folders.some((folder) => inside.startsWith(`${folder}/`));
  if (lies(project.generated)) return { project, role: 'generated' };
  const kinds = Object.entries(project.paths) as [keyof DbtProject['paths'], readonly string[]][];
  const kind = kinds.find(([, folders]) => lies(folders))?.[0];
  if (!kind) return undefined;
  if (/\.ya?ml$/i.test(path)) return { project, role: 'properties' };
  if (/\.md$/i.test(path)) return { project, role: 'doc' };
  if (/\.csv$/i.test(path)) return kind === 'seed' ? { project, role: 'seed' } : undefined;
  // Generic tests are macros in all but name.
  if (kind === 'test' && inside.includes('/generic/')) return { project, role: 'macro' };
  return kind === 'seed' || !path.endsWith('.sql') ? undefined : { project, role: kind };
}

/**
 * A setting of dbt_project.yml for one file: the innermost folder's that says anything. `+key` and `key` are the same.
 */
export function projectSetting(
  project: DbtProject,
  kind: 'models' | 'seeds' | 'snapshots',
  key: string,
  path: string,
): string | undefined {
  const inside = project.root === '' ? path : path.slice(project.root.length + 1);
  const roots = project.paths[kind === 'models' ? 'model' : kind === 'seeds' ? 'seed' : 'snapshot'];
  const root = roots.find((folder) => inside.startsWith(`${folder}/`)) ?? '';
  const folders = [project.name, ...posix.dirname(inside.slice(root.length + 1)).split('/')];
  let level = fieldsOf(project.settings[kind]);
  let found = settingOf(level, key);
  for (const folder of folders) {
    level = fieldsOf(level[folder]);
    found = settingOf(level, key) ?? found;
  }
  return found;
}

function settingOf(level: Readonly<Record<string, unknown>>, key: string): string | undefined {
  const value = level[`+${key}`] ?? level[key];
  return typeof value === 'string' || typeof value === 'boolean' ? String(value) : undefined;
}
