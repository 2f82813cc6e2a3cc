import * as z from 'zod';
import { defineTool } from '../tool.ts';

export default defineTool({
  name: 'create_document_index',
  title: 'Create a document index',
  description:
    'Makes a named document index of folders and files on this machine, inside the workspace or anywhere else, and indexes it at once: from then on its documents are found by search_document_index, search_knowledge and SEARCH_CONTEXT, and are kept up to date. Use it when the person wants a set of documents to be searchable that is not part of the knowledge bases yet. The person is asked first. Folders of keys and passwords are refused. Without `include`, all documents are taken (Markdown, PDF, DOCX, notebooks, HTML, text); with it, other text files too.',
  input: z.object({
    name: z.string().min(1).describe('Name of the index, unique among knowledge bases; 1 to 64 characters.'),
    paths: z
      .array(z.string().min(1))
      .min(1)
      .max(20)
      .describe('Folders or files: absolute, from the home folder (~/…) or relative to the workspace.'),
    description: z.string().max(1000).default('').describe('What is in it, for whoever looks for an index by topic.'),
    include: z
      .array(z.string())
      .max(50)
      .default([])
      .describe('Globs of files to take, such as **/*.sql; empty for all documents.'),
    exclude: z.array(z.string()).max(50).default([]).describe('Globs of files to leave out.'),
  }),
  effect: 'write',
  async confirm({ name, paths, include, exclude }) {
    const globs = [...include.map((glob) => `take \`${glob}\``), ...exclude.map((glob) => `leave out \`${glob}\``)];
    const places = paths.map((path) => `- \`${path}\``).join('\n');
    return {
      title: `Create the document index "${name}"?`,
      message: `Agents in this workspace will be able to search and read the documents of:\n\n${places}\n\n${globs.join(', ')}`,
    };
  },
  async run(input, { indexes, knowledge, settings, signal }) {
    const created = await indexes.create(input, signal);
    await knowledge.settled({ ms: settings['index.waitSeconds'] * 1000 }, signal);
    const { items } = await indexes.list({ limit: 100, offset: 0, allowed: null }, signal);
    const state = items.find(({ index_id }) => index_id === created.index_id);
    return {
      data: { ...created, ...(state && { documents: state.documents, pending_files: state.pending_files ?? 0 }) },
    };
  },
});
