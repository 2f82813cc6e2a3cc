import * as z from 'zod';
import { defineTool } from '../tool.ts';

export default defineTool({
  name: 'local_files',
  title: 'Files on this computer',
  description:
    'Lists, reads, searches, finds, writes, deletes and moves files anywhere on this computer: Documents, Desktop, Downloads, other projects. Use it when a file lies outside the workspace, or no other tool reads it; for documents in the workspace search_knowledge is better. list, read, search and find run at once. write, delete and move ask the person first, except in the own_folder that list returns. delete takes a file or an empty folder; move needs a destination that does not exist yet. Credential stores, .env files and the data of Loci are closed. Answers are pages of less than 8,000 bytes: pass next_offset, or next_start_line, to go on. See `status`: ok, refused, not_found, unavailable, needs_approval; and `notes` for what was left out.',
  input: z.object({
    action: z.enum(['list', 'read', 'search', 'find', 'write', 'delete', 'move']).describe('What to do.'),
    path: z
      .string()
      .default('')
      .describe(
        'File or folder: ~/Documents, an absolute path, or one relative to the home folder; empty for the home.',
      ),
    pattern: z
      .string()
      .max(1000)
      .default('')
      .describe('search: text to look for, letter case ignored. find: part of a name, or a glob such as *.pdf.'),
    regex: z.boolean().default(false).describe('search: pattern is a regular expression.'),
    file_glob: z.string().max(500).default('').describe('search: only files whose name fits this glob, such as *.py.'),
    include_hidden: z.boolean().default(false).describe('list, search, find: names that start with a dot too.'),
    start_line: z.int().min(1).default(1).describe('read: first line, from 1.'),
    max_lines: z.int().min(1).max(2000).default(400).describe('read: most lines, 1 to 2,000.'),
    max_results: z.int().min(1).max(1000).default(100).describe('search, find: most results, 1 to 1,000.'),
    content: z.string().nullable().default(null).describe('write: the full text of the file, at most 1 MB.'),
    overwrite: z.boolean().default(false).describe('write: replace a file that exists.'),
    destination: z.string().default('').describe('move: the new path, which must not exist yet.'),
    offset: z
      .int()
      .min(0)
      .default(0)
      .describe('list, search, find: results to skip: the next_offset of the page before.'),
    start_char: z
      .int()
      .min(0)
      .default(0)
      .describe('read: characters of the first line to skip: the next_start_char of the answer before.'),
  }),
  effect: 'write',
  confirm: (input, { local }) => local.confirmFiles(input),
  run: async (input, { local, signal }) => ({ data: await local.files(input, signal) }),
});
