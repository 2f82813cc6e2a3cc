import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSettings, type Settings, userOnlySettings } from '../core/settings.ts';
import { parseJsonc } from '../core/util/jsonc.ts';

export interface FileSettings {
  readonly settings: Settings;
  /** `files.exclude` globs that are switched on. */
  readonly excludes: readonly string[];
  readonly problems: readonly string[];
}

/**
 * Loci's settings as an editor would see them: the workspace's .vscode/settings.json over those of a user data folder.
 * A workspace cannot set where document text is sent.
 */
export function readSettings(workspace: string, userData: string | undefined): FileSettings {
  const unread: string[] = [];
  const ofWorkspace = readJson(join(workspace, '.vscode', 'settings.json'), unread);
  // The folder itself may be the `User` folder.
  const ofUser =
    userData === undefined
      ? {}
      : {
          ...readJson(join(userData, 'settings.json'), unread),
          ...readJson(join(userData, 'User', 'settings.json'), unread),
        };
  const { settings, problems } = parseSettings((name) => {
    const key = `loci.${name}`;
    return userOnlySettings.includes(name) ? ofUser[key] : (ofWorkspace[key] ?? ofUser[key]);
  });
  const excluded = { ...globs(ofUser), ...globs(ofWorkspace) };
  return {
    settings,
    problems: [...unread, ...problems],
    excludes: Object.keys(excluded).filter((glob) => excluded[glob] === true),
  };
}

function globs(settings: Record<string, unknown>): Record<string, unknown> {
  const value = settings['files.exclude'];
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** An editor's settings file, comments and trailing commas allowed; empty when it is not there. */
function readJson(path: string, problems: string[]): Record<string, unknown> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return {};
  }
  const { value, error } = parseJsonc(text);
  if (error !== undefined) problems.push(`${path} has an error at offset ${error}; what could be read of it is used.`);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
