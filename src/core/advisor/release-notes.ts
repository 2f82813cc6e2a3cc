import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '../errors.ts';
import { jsonBytes, PAGE_BYTES } from '../util/page.ts';

/** Where a build keeps what it ships about its own version. */
export interface Build {
  /** Version as the build calls itself, such as `0.2.0` or `0.2.0-rc.1+abc`. */
  readonly version: string;
  /** Folder of detailed notes, `v<version>.md` each. */
  readonly notes: string;
  /** Folder that holds the changelog. */
  readonly root: string;
}

export interface ReleaseNotes {
  readonly runtime_version: string;
  readonly requested_version: string | null;
  /** The exact release the notes are of; null when there are none. */
  readonly matched_version_label: string | null;
  readonly source_kind: 'detailed' | 'concise' | 'none';
  readonly release_notes_markdown: string;
  readonly start_line: number;
  readonly total_lines: number;
  readonly returned_lines: number;
  readonly next_start_line: number | null;
}

/** A version without what marks the build: `1.2.0-rc.1+abc` is the release `1.2.0-rc.1`. */
export function cleanVersion(version: string): string {
  return version.trim().replace(/^v/, '').replace(/\+.*$/, '');
}

/**
 * One page, in whole lines, of what this build ships about its own release: the detailed notes, else the changelog's
 * entry, else nothing. Notes of another release never stand in.
 * @throws UserError `bad_start_line` or `line_too_long`.
 */
export async function releaseNotes(build: Build, requested: string | null, startLine: number): Promise<ReleaseNotes> {
  const version = cleanVersion(build.version);
  const detailed = await readFile(join(build.notes, `v${version}.md`), 'utf8').catch(() => '');
  const concise = detailed.trim() === '' ? changelogEntry(await changelog(build.root), version) : '';
  const text = (detailed.trim() === '' ? concise : detailed).replaceAll('\r\n', '\n').trim();
  const kind = text === '' ? 'none' : concise === '' ? 'detailed' : 'concise';
  const lines = text === '' ? [] : text.split('\n');
  if (startLine > Math.max(1, lines.length)) {
    throw new UserError(
      'bad_start_line',
      `The notes have ${lines.length} lines, so there is no line ${startLine}.`,
      'Pass 1, or the next_start_line of the page before.',
    );
  }
  const head = {
    runtime_version: build.version,
    requested_version: requested,
    matched_version_label: kind === 'none' ? null : `v${version}`,
    source_kind: kind,
  } as const;
  const page: string[] = [];
  let room = PAGE_BYTES - jsonBytes(head);
  for (const line of lines.slice(startLine - 1)) {
    room -= jsonBytes(`${line}\n`) - 2;
    if (room < 0) break;
    page.push(line);
  }
  if (page.length === 0 && lines.length > 0) {
    throw new UserError(
      'line_too_long',
      `Line ${startLine} of the notes is too long for an answer.`,
      'Stop, and report that the release notes are incomplete. Do not write a report from part of them.',
    );
  }
  const next = startLine + page.length;
  return {
    ...head,
    release_notes_markdown: page.join('\n'),
    start_line: startLine,
    total_lines: lines.length,
    returned_lines: page.length,
    next_start_line: next <= lines.length ? next : null,
  };
}

/** The changelog, whatever the case of its name: packaging changes it. */
async function changelog(root: string): Promise<string> {
  const names = await readdir(root).catch(() => []);
  const name = names.find((one) => one.toLowerCase() === 'changelog.md');
  return name === undefined ? '' : readFile(join(root, name), 'utf8').catch(() => '');
}

/** The part of a changelog under the heading of one version. */
function changelogEntry(text: string, version: string): string {
  const lines = text.split(/\r?\n/);
  const heading = (line: string) => /^##\s+\[?v?([0-9][^\s\]]*)\]?/.exec(line)?.[1];
  const start = lines.findIndex((line) => heading(line) === version);
  if (start < 0) return '';
  const length = lines.slice(start + 1).findIndex((line) => /^##\s/.test(line));
  return lines.slice(start, length < 0 ? undefined : start + 1 + length).join('\n');
}
