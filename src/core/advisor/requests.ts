import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { UserError } from '../errors.ts';

/** Something the people of a workspace want of Loci. */
export interface EnhancementRequest {
  readonly title: string;
  readonly description: string;
  readonly id?: string;
}

const FILES = ['enhancement-requests.md', 'enhancement-requests.json'];
const LARGEST = 1_000_000;

const One = z.object({
  title: z.string().min(1),
  description: z.string().default(''),
  id: z.union([z.string(), z.number()]).transform(String).optional(),
  status: z.string().default('open'),
});
const List = z.union([z.array(One), z.object({ requests: z.array(One) }).transform(({ requests }) => requests)]);

/**
 * The open requests of a workspace, from `.loci/enhancement-requests.md` (a task list, or a heading for each) or
 * `.json`.
 * @throws UserError `damaged_requests`.
 */
export async function openRequests(
  folders: readonly string[],
): Promise<{ requests: EnhancementRequest[]; files: string[] }> {
  const requests: EnhancementRequest[] = [];
  const files: string[] = [];
  for (const folder of folders) {
    for (const name of FILES) {
      const path = join(folder, '.loci', name);
      const info = await stat(path).catch(() => undefined);
      if (!info?.isFile()) continue;
      if (info.size > LARGEST) throw damaged(path, `it has ${info.size} bytes`);
      files.push(path);
      const text = (await readFile(path, 'utf8')).replace(/^\uFEFF/, '');
      requests.push(...(name.endsWith('.json') ? fromJson(text, path) : fromMarkdown(text)));
    }
  }
  return { requests, files };
}

function fromJson(text: string, path: string): EnhancementRequest[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw damaged(path, (error as Error).message);
  }
  const parsed = List.safeParse(value);
  if (!parsed.success) throw damaged(path, parsed.error.issues[0]?.message ?? 'its shape is not that of a list');
  return parsed.data
    .filter(({ status }) => isOpen(status))
    .map(({ title, description, id }) => ({ title, description, ...(id !== undefined && { id }) }));
}

/**
 * A task list gives a request an item, done ones closed; without one, every heading is a request, unless its text says
 * `Status: done`.
 */
function fromMarkdown(text: string): EnhancementRequest[] {
  const lines = text.split(/\r?\n/);
  const task = /^[-*+]\s+\[([ xX])\]\s+(.+)$/;
  const heading = /^#{2,6}\s+(.+?)\s*#*$/;
  const byTasks = lines.some((line) => task.test(line));
  const found: { title: string; open: boolean; body: string[] }[] = [];
  for (const line of lines) {
    const item = byTasks ? task.exec(line) : undefined;
    const title = byTasks ? item?.[2] : heading.exec(line)?.[1];
    if (title !== undefined) found.push({ title: title.trim(), open: !item || item[1] === ' ', body: [] });
    else if (!/^#/.test(line)) found.at(-1)?.body.push(line.trim());
  }
  return found
    .filter(({ open, body }) => open && isOpen(/^status:\s*(.+)$/im.exec(body.join('\n'))?.[1] ?? 'open'))
    .map(({ title, body }) => ({ title, description: body.join('\n').trim() }));
}

function isOpen(status: string): boolean {
  return !/^(?:done|closed|rejected|resolved|shipped|won'?t ?fix|declined)\b/i.test(status.trim());
}

function damaged(path: string, why: string): UserError {
  return new UserError('damaged_requests', `The requests in ${path} cannot be read: ${why}.`, 'Say so in the report.');
}
