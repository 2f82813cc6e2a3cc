import * as z from 'zod';

/**
 * Every setting of Loci, without its `loci.` prefix: name, shape, default and description in one place. The generator
 * writes `contributes.configuration` and package.nls.json from it; each door parses what its user wrote through it.
 */
const KnowledgeBaseSetting = z.object({
  name: z.string().min(1).max(64).describe('Name shown in results and in the Knowledge view; unique.'),
  path: z
    .string()
    .min(1)
    .describe('Folder or file: absolute, from the home folder (~/…) or relative to the first workspace folder.'),
  include: z
    .array(z.string())
    .optional()
    .describe('Globs of the files to take; all documents when left out. Name other text files here, such as **/*.sql.'),
  exclude: z.array(z.string()).optional().describe('Globs of files to leave out.'),
});

const ConnectionSetting = z.object({
  type: z.enum(['postgres', 'sqlite']).describe('Kind of database.'),
  name: z.string().min(1).max(64).describe('Name: letters, digits, - and _. The id is <type>.<name>.'),
  description: z.string().optional().describe('What is in it.'),
  host: z.string().optional().describe('Server of a Postgres database; localhost when left out.'),
  port: z.number().int().optional().describe('Port of the server; 5432 when left out.'),
  database: z.string().optional().describe('Name of the Postgres database.'),
  user: z.string().optional().describe('User of the Postgres database.'),
  ssl: z.enum(['disable', 'require', 'verify']).optional().describe('Encryption of the connection to Postgres.'),
  path: z
    .string()
    .optional()
    .describe(
      'File of a SQLite database: absolute, from the home folder (~/…) or relative to the first workspace folder.',
    ),
});

export const settingsShape = {
  knowledgeBases: z
    .array(KnowledgeBaseSetting)
    .default([])
    .describe('Knowledge bases besides the documents of the workspace: any folder or file on this machine.'),
  'index.exclude': z
    .array(z.string())
    .default([])
    .describe('Globs of workspace files to keep out of the index, besides what .gitignore and files.exclude name.'),
  'index.maxFileSizeMB': z
    .number()
    .min(0.1)
    .max(200)
    .default(16)
    .describe('Files larger than this many megabytes are left out of the index and reported.'),
  'dependencies.enabled': z
    .boolean()
    .default(false)
    .describe(
      'Adds the knowledge base "dependencies": READMEs, changelogs, docs and doc comments of the installed direct dependencies, at their exact versions.',
    ),
  'index.waitSeconds': z
    .number()
    .min(0)
    .max(120)
    .default(20)
    .describe(
      'How long a tool call waits for an index that is still being built, in seconds. After that it answers from what is there and says so.',
    ),
  'read.tokenBudget': z
    .number()
    .int()
    .min(200)
    .max(20_000)
    .default(2000)
    .describe(
      'Documents and sections up to this many tokens are read whole; larger ones as a table of contents or in pages.',
    ),
  'budget.calls': z
    .number()
    .int()
    .min(0)
    .max(1000)
    .default(20)
    .describe(
      'Tool calls an agent may make in one chat request before it is told to answer with what it has; 0 for no limit.',
    ),
  'skills.folders': z
    .array(z.string().min(1))
    .default([])
    .describe(
      'Further folders of skills, each with a folder a skill: absolute, from the home folder (~/…) or relative to the first workspace folder.',
    ),
  'whatsNew.notify': z
    .boolean()
    .default(true)
    .describe('Whether to offer, once after an update, a report on what is new for this workspace.'),
  'context.maxDefaultToolGroups': z
    .number()
    .int()
    .min(0)
    .max(100)
    .default(12)
    .describe('Tool groups that the threads of an agent may start with; 0 for no limit.'),
  instanceName: z
    .string()
    .max(100)
    .default('')
    .describe('What get_runtime_values calls this installation; the name of the workspace when empty.'),
  'wiki.writeEnabled': z
    .boolean()
    .default(false)
    .describe(
      'Lets agents write to the team wiki; each write is confirmed first. Off, wiki_write and wiki_edit are hidden.',
    ),
  'wiki.review': z
    .boolean()
    .default(true)
    .describe('What agents write to the team wiki waits for your approval before it is shown as a fact.'),
  'wiki.shareValues': z
    .boolean()
    .default(false)
    .describe(
      'Keeps learnings that contain data values in the workspace too, where git shares them. Off, they stay on this machine.',
    ),
  'threads.otherWorkspaces': z
    .boolean()
    .default(false)
    .describe('Lets agents search and read the chats of other workspaces, not only those of the open one.'),
  'data.connections': z
    .array(ConnectionSetting)
    .default([])
    .describe(
      'Database connections besides those added with the command; without passwords. Not opened while the workspace is not trusted.',
    ),
  'data.allowWrites': z
    .boolean()
    .default(false)
    .describe('Lets run_query run SQL that writes, after you have confirmed each statement. Off, it is refused.'),
  'data.keepPreviews': z
    .boolean()
    .default(false)
    .describe(
      'Keeps the first rows of each query in the query history on this machine, and shows them in find_past_queries.',
    ),
  'data.queryTimeoutSeconds': z
    .number()
    .int()
    .min(1)
    .max(300)
    .default(30)
    .describe('How long a SQL query may run, in seconds.'),
  'data.samples': z
    .boolean()
    .default(false)
    .describe('Lets describe_asset show the first rows of data files and tables, not only their columns.'),
  'local.blockCredentials': z
    .boolean()
    .default(true)
    .describe(
      'Keeps credential stores closed to local_files and run_local_command: keys, sign-ins of CLIs, browser profiles and .env files.',
    ),
  'local.commands': z
    .boolean()
    .default(true)
    .describe(
      'Offers run_local_command, which runs commands in a sandbox and asks you before all that do more than read.',
    ),
  'embedding.model': z
    .enum(['static', 'use-lite', 'openai', 'ollama', 'none'])
    .default('static')
    .describe(
      'Model behind search by meaning. "static" is built in and works offline; "use-lite" is the Universal Sentence Encoder, installed on request; "openai" and "ollama" send document text to the endpoint you name; "none" searches by words alone.',
    ),
  'embedding.endpoint': z
    .string()
    .default('')
    .describe(
      'Address of the embedding service, such as https://api.openai.com/v1 or http://127.0.0.1:11434. Used by the models "openai" and "ollama" only.',
    ),
  'embedding.modelName': z
    .string()
    .default('')
    .describe('Name of the model at the embedding service, such as text-embedding-3-small or nomic-embed-text.'),
} as const;

/** Settings that decide where text goes and what is closed: only the user's own settings count, never a workspace's. */
export const userOnlySettings: readonly string[] = [
  'embedding.model',
  'embedding.endpoint',
  'embedding.modelName',
  'threads.otherWorkspaces',
  'local.blockCredentials',
  'local.commands',
];

/** Settings that an untrusted workspace may not set. */
export const trustedOnlySettings: readonly string[] = [
  'knowledgeBases',
  'skills.folders',
  'wiki.writeEnabled',
  'wiki.review',
  'wiki.shareValues',
];

const schema = z.object(settingsShape);
export type Settings = z.infer<typeof schema>;
export type SettingName = keyof Settings;

/** Settings from raw values by name. A value that does not fit falls back to the default and is named in `problems`. */
export function parseSettings(raw: (name: SettingName) => unknown): { settings: Settings; problems: string[] } {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const name of Object.keys(settingsShape) as SettingName[]) {
    let value = raw(name) ?? undefined;
    if (name === 'knowledgeBases' && Array.isArray(value)) value = withoutMisfits(value, problems);
    const parsed = settingsShape[name].safeParse(value);
    if (parsed.success) values[name] = parsed.data;
    else {
      values[name] = settingsShape[name].parse(undefined);
      problems.push(`loci.${name}: ${parsed.error.issues[0]?.message ?? 'not valid'}; the default is used.`);
    }
  }
  return { settings: values as Settings, problems };
}

/** The entries that fit; one that does not costs only itself. */
function withoutMisfits(entries: readonly unknown[], problems: string[]): unknown[] {
  return entries.filter((entry, index) => {
    const parsed = KnowledgeBaseSetting.safeParse(entry);
    if (!parsed.success) {
      const { path, message } = parsed.error.issues[0]!;
      problems.push(`loci.knowledgeBases: entry ${index + 1} is left out: ${[...path, message].join(': ')}.`);
    }
    return parsed.success;
  });
}
