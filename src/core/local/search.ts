import { stat } from 'node:fs/promises';
import { relative } from 'node:path';
import { cutText, jsonBytes, PAGE_BYTES } from '../util/page.ts';
import { toPosix } from '../util/paths.ts';
import { isGlob, nameGlob } from './name-glob.ts';
import { openFile } from './open-file.ts';
import { type FindLines, type LineMatch, regexFinder, textFinder } from './pattern-search.ts';
import { placeOf, type Surroundings } from './place.ts';
import { Refusal } from './refusal.ts';
import { isBinary } from './text.ts';
import { type Found, gapNotes, type WalkGaps, walk } from './walk.ts';

export interface SearchInput {
  readonly path: string;
  readonly pattern: string;
  readonly regex: boolean;
  readonly file_glob: string;
  readonly include_hidden: boolean;
  readonly max_results: number;
  /** Results to skip. */
  readonly offset: number;
}

/** Longest a search may take, in milliseconds. */
const SEARCH_MS = 30_000;
/** Larger files are not searched. */
const MOST_BYTES = 16 * 1024 * 1024;
const SHOWN_LINE = 300;

interface Page {
  readonly has_more: boolean;
  readonly next_offset: number | null;
  readonly notes?: readonly string[];
}

/** Collects results one after another until the page is full. */
function pageFrom<T>({ offset, max_results }: SearchInput) {
  const items: T[] = [];
  let [seen, bytes, isFull] = [0, 0, false];
  return {
    items,
    /** Results still wanted, those to skip included. */
    wanted: () => offset + max_results + 1 - seen,
    /** False once the page is full: `item` is the first of the next. */
    add(item: T): boolean {
      if (seen++ < offset) return true;
      bytes += jsonBytes(item) + 1;
      isFull = items.length >= max_results || (items.length > 0 && bytes > PAGE_BYTES - 500);
      if (!isFull) items.push(item);
      return !isFull;
    },
    end: (notes: readonly string[]): Page => ({
      has_more: isFull,
      next_offset: isFull ? offset + items.length : null,
      ...(notes.length > 0 && { notes }),
    }),
  };
}

/** Lines of the text files below a folder, or of one file, that match. */
export async function searchFiles(input: SearchInput, around: Surroundings, signal?: AbortSignal) {
  if (input.pattern === '') throw new Refusal('refused', 'pattern is empty.', 'Pass the text to look for.');
  const find = input.regex ? regexFinder(input.pattern) : textFinder(input.pattern);
  const isWanted = input.file_glob === '' ? () => true : nameGlob(input.file_glob);
  const { root, files, gaps } = await start(input, around, signal);
  const page = pageFrom<{ path: string; line: number; text: string }>(input);
  let large = 0;
  search: for await (const { path, name, kind } of files) {
    if (kind !== 'file' || !isWanted(name)) continue;
    const { text, tooLarge } = await textOf(path, around);
    if (tooLarge) large++;
    for (const match of matchesIn(text, find, page.wanted())) {
      if (!page.add({ path: shown(root, path), line: match.line, text: excerpt(text, match) })) break search;
    }
  }
  const notes = large > 0 ? [`${large} files of more than 16 MB were not searched.`] : [];
  return { status: 'ok' as const, path: root, matches: page.items, ...page.end([...notes, ...gapNotes(gaps)]) };
}

/** Files and folders below a folder whose name holds a text or fits a glob. */
export async function findFiles(input: SearchInput, around: Surroundings, signal?: AbortSignal) {
  if (input.pattern === '') throw new Refusal('refused', 'pattern is empty.', 'Pass part of a name, or a glob.');
  const part = input.pattern.toLowerCase();
  const fits = isGlob(input.pattern) ? nameGlob(input.pattern) : (name: string) => name.toLowerCase().includes(part);
  const isPath = input.pattern.includes('/');
  const { root, files, gaps } = await start(input, around, signal);
  const page = pageFrom<string>(input);
  for await (const { path, name, kind } of files) {
    if (!fits(isPath ? shown(root, path) : name)) continue;
    if (!page.add(kind === 'folder' ? `${path}/` : path)) break;
  }
  return { status: 'ok' as const, path: root, paths: page.items, ...page.end(gapNotes(gaps)) };
}

async function start(input: SearchInput, around: Surroundings, signal: AbortSignal | undefined) {
  const { path: root, exists } = await placeOf(input.path, around);
  const stats = exists ? await stat(root) : undefined;
  if (!stats) throw new Refusal('not_found', `${root} does not exist.`, 'List the folder above it.');
  const gaps: WalkGaps = { unreadable: 0, closed: 0, packages: 0, timedOut: false };
  const until = performance.now() + SEARCH_MS;
  const options = { hidden: input.include_hidden, closed: around.closed, until, signal };
  const files = stats.isDirectory() ? walk(root, options, gaps) : one({ path: root, name: root, kind: 'file' });
  return { root, files, gaps };
}

async function* one(file: Found): AsyncGenerator<Found> {
  yield file;
}

function shown(root: string, path: string): string {
  return toPosix(relative(root, path)) || path;
}

/** A file's text; empty for one that is binary, unreadable or too large. */
async function textOf(path: string, { closed }: Surroundings): Promise<{ text: string; tooLarge: boolean }> {
  try {
    await using file = await openFile(path, closed);
    if (file.size > MOST_BYTES) return { text: '', tooLarge: true };
    const bytes = await file.handle.readFile();
    if (isBinary(bytes)) return { text: '', tooLarge: false };
    const encoding = bytes[0] === 0xff ? 'utf-16le' : bytes[0] === 0xfe ? 'utf-16be' : 'utf-8';
    return { text: new TextDecoder(encoding).decode(bytes), tooLarge: false };
  } catch (error) {
    if (error instanceof Refusal) return { text: '', tooLarge: false };
    throw error;
  }
}

function matchesIn(text: string, find: FindLines, limit: number): LineMatch[] {
  return text === '' ? [] : find(text, limit);
}

/** The line, or the part of a long one around the match. */
function excerpt(text: string, { start, end, at }: LineMatch): string {
  const from = end - start > SHOWN_LINE ? Math.max(0, at - SHOWN_LINE / 3) : 0;
  const line = text.slice(start + from, Math.min(end, start + from + SHOWN_LINE)).replace(/\r$/, '');
  return `${from > 0 ? '…' : ''}${cutText(line, 4 * SHOWN_LINE)}${start + from + SHOWN_LINE < end ? '…' : ''}`.toWellFormed();
}
