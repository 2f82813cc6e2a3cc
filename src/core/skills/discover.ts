import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { throwIfAborted } from '../util/abort.ts';
import { isCredentialStore, isInside } from '../util/paths.ts';
import { isDefinition } from './definition.ts';
import { aboutPath, type Diagnostic } from './diagnostic.ts';
import type { Kind, Place } from './places.ts';

/** A SKILL.md, agent or prompt file that is there, not read yet. */
export interface Found {
  readonly kind: Kind;
  readonly place: Place;
  /** Absolute path as it was found; links are not resolved. */
  readonly file: string;
  /** Of a skill: its folder, links resolved. */
  readonly folder?: string;
  /** Real path of the folder that links must not leave. */
  readonly within?: string | undefined;
  /** Changes whenever the file does. */
  readonly stamp: string;
}

export interface Discovery {
  readonly found: readonly Found[];
  /** What stands in the way of a skill that someone may have meant to be one. */
  readonly diagnostics: readonly Diagnostic[];
}

export const PRIMARY = 'SKILL.md';

/** A folder of skills has no more entries than this: one that has is no folder of skills. */
const MOST_ENTRIES = 1000;
const NO_SKILLS = new Set(['.git', 'node_modules']);

/** Looks into places for files of their kind; reads none of them. A place that does not exist is empty. */
export async function discover(places: readonly Place[], signal?: AbortSignal): Promise<Discovery> {
  const found: Found[] = [];
  const diagnostics: Diagnostic[] = [];
  const seen = new Set<string>();
  for (const place of places) {
    throwIfAborted(signal);
    const here = await (place.kind === 'skill' ? skillsIn(place) : definitionsIn(place));
    diagnostics.push(...here.diagnostics);
    for (const item of here.found) {
      // One folder may be linked into several places.
      const identity = item.folder ?? item.file;
      if (!seen.has(identity)) found.push(item);
      seen.add(identity);
    }
  }
  return { found, diagnostics };
}

const NOTHING: Discovery = { found: [], diagnostics: [] };
const NO_ENTRIES = { entries: [], diagnostics: [] };

async function skillsIn(place: Place): Promise<Discovery> {
  const root = place.within && (await realpath(place.within).catch(() => undefined));
  if (place.contribution) return skillAt(place, place.path, root);
  const { entries, diagnostics } = await list(place.path);
  const folders = entries.filter(
    (entry) => (entry.isDirectory() || entry.isSymbolicLink()) && !NO_SKILLS.has(entry.name),
  );
  const all = await Promise.all(folders.map((entry) => skillAt(place, join(place.path, entry.name), root)));
  diagnostics.push(...all.flatMap((one) => one.diagnostics));
  if (entries.some((entry) => entry.isFile() && entry.name === PRIMARY)) {
    const message = 'A skill needs a folder of its own: move this file into a folder that is named like the skill.';
    diagnostics.push(aboutPath(join(place.path, PRIMARY), 'error', 'no_folder', message));
  }
  return { found: all.flatMap((one) => one.found), diagnostics };
}

async function skillAt(place: Place, path: string, root: string | undefined): Promise<Discovery> {
  const refused = (code: string, message: string): Discovery => ({
    found: [],
    diagnostics: [aboutPath(path, 'error', code, message)],
  });
  const folder = await realpath(path).catch(() => undefined);
  if (!folder) {
    const promised = place.contribution && !place.contribution.description;
    return promised ? refused('not_found', `${place.source} contributes this skill, but it is not there.`) : NOTHING;
  }
  if (root && !isInside(root, folder)) {
    return refused('link_outside', 'The symbolic link leads outside the workspace folder and is not followed.');
  }
  if (isCredentialStore(folder)) {
    return refused(
      'credential_store',
      'The folder holds credentials or is the operating system’s own; it is not read.',
    );
  }
  let names: string[];
  try {
    names = await readdir(folder);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // A link to a file is no skill.
    return code === 'ENOTDIR' ? NOTHING : refused('unreadable', `The folder cannot be read: ${message}.`);
  }
  if (names.includes(PRIMARY)) {
    const file = join(path, PRIMARY);
    return {
      found: [{ kind: 'skill', place, file, folder, within: root ?? folder, stamp: await stampOf(file) }],
      diagnostics: [],
    };
  }
  if (place.contribution?.description) return NOTHING;
  return { found: [], diagnostics: await whyNoSkill(path, names) };
}

/** Names the mistakes that hide a skill. */
async function whyNoSkill(path: string, names: readonly string[]): Promise<Diagnostic[]> {
  const otherCase = names.find((name) => name.toLowerCase() === PRIMARY.toLowerCase());
  if (otherCase) {
    const message = `The file must be called ${PRIMARY}, in capitals. Rename ${otherCase}.`;
    return [aboutPath(join(path, otherCase), 'error', 'wrong_case', message)];
  }
  const deeper: string[] = [];
  for (const name of names.slice(0, 50)) {
    if ((await stampOf(join(path, name, PRIMARY))) !== '') deeper.push(join(path, name, PRIMARY));
  }
  if (deeper.length > 0) {
    const message = `The skill lies one folder too deep to be found. Move its folder out of ${basename(path)}.`;
    return deeper.map((file) => aboutPath(file, 'error', 'too_deep', message));
  }
  const message = `The folder has no ${PRIMARY}, so it is no skill.`;
  return [aboutPath(join(path, PRIMARY), 'hint', 'no_skill_file', message)];
}

async function definitionsIn(place: Place): Promise<Discovery> {
  const kind = place.kind as 'agent' | 'prompt';
  const within = place.within && (await realpath(place.within).catch(() => undefined));
  const { entries, diagnostics } = place.contribution ? NO_ENTRIES : await list(place.path);
  const files = place.contribution
    ? [place.path]
    : entries.map(({ name }) => join(place.path, name)).filter((path) => isDefinition(kind, path));
  const stamps = await Promise.all(files.map(stampOf));
  const found = stamps.flatMap((stamp, i) => (stamp ? [{ kind, place, file: files[i]!, within, stamp }] : []));
  return { found, diagnostics };
}

/** Entries of a folder in order of name; none of one that is not there. */
async function list(path: string): Promise<{ entries: Dirent[]; diagnostics: Diagnostic[] }> {
  try {
    const all = await readdir(path, { withFileTypes: true });
    const entries = all.sort((a, b) => (a.name < b.name ? -1 : 1)).slice(0, MOST_ENTRIES);
    if (entries.length === all.length) return { entries, diagnostics: [] };
    const message = `The folder has ${all.length} entries; only the first ${MOST_ENTRIES} are looked at.`;
    return { entries, diagnostics: [aboutPath(path, 'warning', 'too_many_entries', message)] };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return { entries: [], diagnostics: [] };
    const diagnostic = aboutPath(path, 'warning', 'unreadable', `The folder cannot be read: ${message}.`);
    return { entries: [], diagnostics: [diagnostic] };
  }
}

/** Empty for what is not there. */
async function stampOf(path: string): Promise<string> {
  const info = await stat(path).catch(() => undefined);
  return info ? `${info.ino} ${info.size} ${info.mtimeMs} ${info.ctimeMs}` : '';
}
