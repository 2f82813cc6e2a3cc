import { basename, join, normalize } from 'node:path';
import { UserError } from '../errors.ts';
import { brief, cutText, PAGE_BYTES } from '../util/page.ts';
import { toPosix } from '../util/paths.ts';
import { type ScanResult, scan } from '../util/scan.ts';
import { PRIMARY } from './discover.ts';
import type { Skill } from './registry.ts';
import { readTextFile } from './text-file.ts';

/** A page of a skill's file; characters are UTF-16 units. */
export interface SkillPage {
  readonly skill_name: string;
  readonly relative_path: string;
  readonly source: 'package' | 'description_fallback';
  readonly content: string;
  readonly start_char: number;
  readonly returned_chars: number;
  readonly total_chars: number;
  readonly truncated: boolean;
  /** Where to go on; null at the end. */
  readonly next_start_char: number | null;
  /** Present when truncated: how much remains and the call that reads on. */
  readonly truncation_note?: string;
  /** Present when truncated: that call alone. */
  readonly continuation_hint?: string;
  readonly message?: string;
  readonly warnings?: readonly string[];
}

export interface ReadRequest {
  readonly path: string;
  readonly start_char: number;
  /** Null for as many as the editor shows without cutting. */
  readonly max_chars: number | null;
  /** JSON bytes that the content may take when `max_chars` is null. */
  readonly max_bytes?: number | undefined;
}

/** Most characters that one page gives on request. */
const MOST_CHARACTERS = 50_000;
const MOST_BYTES = 4_000_000;
/** What a page's fields besides its content take. */
const FRAME_BYTES = 1500;

/** Reads SKILL.md or another text file of a skill, from `start_char` on. */
export async function readSkillPage(skill: Skill, request: ReadRequest): Promise<SkillPage> {
  const path = relativePath(request.path);
  const { text, source, warnings, message } = await textOf(skill, path);
  if (request.start_char > text.length) {
    throw new UserError(
      'past_the_end',
      `${path} has ${text.length} characters; start_char is ${request.start_char}.`,
      'Pass the next_start_char of the call before.',
    );
  }
  const start = wholeCharacter(text, request.start_char);
  const content = pageOf(text, start, request);
  const end = start + content.length;
  const call = `read_assigned_skill_file(skill_name="${skill.name}", relative_path="${path}", start_char=${end})`;
  const left = text.length - end;
  return {
    skill_name: skill.name,
    relative_path: path,
    source,
    content,
    start_char: start,
    returned_chars: content.length,
    total_chars: text.length,
    truncated: left > 0,
    next_start_char: left > 0 ? end : null,
    ...(left > 0 && {
      truncation_note: `${left} of ${text.length} characters remain. Read on with ${call}.`,
      continuation_hint: call,
    }),
    ...(message && { message }),
    ...(warnings.length > 0 && { warnings }),
  };
}

async function textOf(
  skill: Skill,
  path: string,
): Promise<{ text: string; source: SkillPage['source']; warnings: readonly string[]; message?: string }> {
  if (skill.folder === null) {
    if (path !== PRIMARY) {
      throw new UserError(
        'not_found',
        `The skill "${skill.name}" has no files, only its description.`,
        `Read its ${PRIMARY} to get that.`,
      );
    }
    const message = 'Served skill description (no package file present).';
    return { text: skill.description, source: 'description_fallback', warnings: [], message };
  }
  const limits = { within: skill.within!, maxBytes: MOST_BYTES, shown: brief(path, 300) };
  try {
    const { text, warnings } = await readTextFile(join(skill.folder, path), limits);
    return { text, source: 'package', warnings };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const next = error.code === 'not_found' || error.code === 'not_a_file' ? await suggestion(skill, path) : error.next;
    throw new UserError(error.code, error.message, next);
  }
}

/**
 * The path with `/` between its parts and nothing else to resolve.
 * @throws UserError `outside_skill` for one that leads out of the skill.
 */
function relativePath(given: string): string {
  const path = toPosix(normalize(given.trim().replaceAll('\\', '/'))).replace(/^(?:\.\/)+/, '');
  if (path === '.' || path === '') return PRIMARY;
  if (path.startsWith('/') || /^[a-z]:/i.test(path) || path.split('/').includes('..')) {
    throw new UserError(
      'outside_skill',
      `"${brief(given, 300)}" leads out of the skill's folder.`,
      'Pass a path relative to that folder, as list_assigned_skill_files gives it.',
    );
  }
  return path;
}

async function suggestion(skill: Skill, path: string): Promise<string> {
  const list = `Call list_assigned_skill_files(skill_name="${skill.name}") to see its files.`;
  const { files } = await filesOf(skill);
  const same = files.filter((file) => basename(file.path).toLowerCase() === basename(path).toLowerCase());
  return same.length > 0
    ? `Did you mean ${same
        .slice(0, 3)
        .map((file) => file.path)
        .join(' or ')}? ${list}`
    : list;
}

/** The files of a skill that can be read, by path, and those that cannot, with the reason. */
export async function filesOf(skill: Skill, signal?: AbortSignal): Promise<ScanResult> {
  if (skill.folder === null) return { files: [], skipped: [] };
  const { files, skipped } = await scan({ root: skill.folder, exclude: [], maxBytes: MOST_BYTES }, () => true, signal);
  const tooLarge = `Only files up to ${MOST_BYTES / 1_000_000} MB are read.`;
  return {
    files,
    skipped: skipped.map((skip) => (skip.reason === 'too_large' ? { ...skip, detail: tooLarge } : skip)),
  };
}

function pageOf(text: string, start: number, { max_chars: characters, max_bytes: bytes }: ReadRequest): string {
  if (characters === null) {
    const room = bytes ?? PAGE_BYTES - FRAME_BYTES;
    return cutText(text.slice(start, start + room), room);
  }
  const end = start + Math.max(1, Math.min(characters, MOST_CHARACTERS));
  const whole = wholeCharacter(text, end);
  return text.slice(start, whole > start ? whole : end + 1);
}

/** The offset, or the one before it where it would cut a character in two. */
function wholeCharacter(text: string, offset: number): number {
  const unit = text.charCodeAt(offset);
  return offset > 0 && unit >= 0xdc00 && unit <= 0xdfff ? offset - 1 : offset;
}
