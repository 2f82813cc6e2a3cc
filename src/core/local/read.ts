import { throwIfAborted } from '../util/abort.ts';
import { cutText, jsonBytes, PAGE_BYTES } from '../util/page.ts';
import { type OpenFile, openFile } from './open-file.ts';
import { placeOf, type Surroundings } from './place.ts';
import { Refusal } from './refusal.ts';
import { encodingOf } from './text.ts';

export interface ReadInput {
  readonly path: string;
  readonly start_line: number;
  readonly max_lines: number;
  /** Characters of the first line to skip: a line can be longer than an answer. */
  readonly start_char: number;
}

export interface FileWindow {
  readonly status: 'ok';
  readonly path: string;
  readonly size: number;
  readonly content: string;
  readonly start_line: number;
  readonly lines: number;
  /** Null for a large file that was not read to its end. */
  readonly total_lines: number | null;
  readonly has_more: boolean;
  readonly next_start_line: number | null;
  /** Set when the answer ends inside a line: pass it as start_char, with next_start_line. */
  readonly next_start_char?: number;
}

const CHUNK = 256 * 1024;
/** Larger files are not read on just to count their lines. */
const COUNTED_BYTES = 64 * 1024 * 1024;

/** A window of a text file's lines, in one page. UTF-8, or UTF-16 with a byte order mark. */
export async function readLines(input: ReadInput, around: Surroundings, signal?: AbortSignal): Promise<FileWindow> {
  const { path, exists } = await placeOf(input.path, around);
  if (!exists)
    throw new Refusal('not_found', `${path} does not exist.`, 'List the folder above it, or use action find.');
  await using file = await openFile(path, around.closed);
  const { kept, total } = await collect(file, path, input, signal);
  const content: string[] = [];
  let bytes = 0;
  for (const line of kept) {
    bytes += jsonBytes(line) - 2;
    if (bytes > PAGE_BYTES) break;
    content.push(line);
  }
  const head = { status: 'ok' as const, path, size: file.size, start_line: input.start_line, total_lines: total };
  if (content.length === 0 && kept.length > 0) {
    const cut = cutText(kept[0]!, PAGE_BYTES);
    const next_start_char = input.start_char + cut.length;
    return { ...head, content: cut, lines: 1, has_more: true, next_start_line: input.start_line, next_start_char };
  }
  const end = input.start_line + content.length;
  const more = total === null || end <= total;
  const next_start_line = more ? end : null;
  return { ...head, content: content.join(''), lines: content.length, has_more: more, next_start_line };
}

/** The lines of the window, each with its line break, as far as they can fit a page; the number of all lines. */
async function collect(file: OpenFile, path: string, input: ReadInput, signal?: AbortSignal) {
  const { start_line: first, max_lines, start_char } = input;
  const kept: string[] = [];
  let [line, skipped, characters, atLineStart] = [1, 0, 0, true];
  const isWanted = () => line >= first && line < first + max_lines && characters <= PAGE_BYTES;
  const take = (piece: string) => {
    if (!isWanted()) return;
    let text = piece;
    if (line === first && skipped < start_char) {
      text = piece.slice(start_char - skipped);
      skipped += piece.length - text.length;
    }
    const index = line - first;
    kept[index] = (kept[index] ?? '') + text.slice(0, PAGE_BYTES + 1);
    characters += text.length;
  };
  for await (const chunk of chunks(file, path, signal)) {
    let from = 0;
    for (let at = chunk.indexOf('\n'); at >= 0; at = chunk.indexOf('\n', from)) {
      take(chunk.slice(from, at + 1));
      from = at + 1;
      line++;
    }
    if (from < chunk.length) take(chunk.slice(from));
    if (chunk !== '') atLineStart = from === chunk.length;
    if (line > first && !isWanted() && file.size > COUNTED_BYTES) return { kept, total: null };
  }
  return { kept, total: atLineStart ? line - 1 : line };
}

async function* chunks({ handle }: OpenFile, path: string, signal?: AbortSignal): AsyncGenerator<string> {
  const buffer = Buffer.alloc(CHUNK);
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  for (let at = 0; ; ) {
    throwIfAborted(signal);
    const { bytesRead } = await handle.read(buffer, 0, CHUNK, at);
    const bytes = buffer.subarray(0, bytesRead);
    decoder ??= new TextDecoder(encodingOf(bytes, path));
    if (bytesRead === 0) {
      yield decoder.decode();
      return;
    }
    yield decoder.decode(bytes, { stream: true });
    at += bytesRead;
  }
}
