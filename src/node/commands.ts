import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import type { App } from '../core/app.ts';
import type { FoundChunk } from '../core/kb/search.ts';
import { toolNamed } from '../tools/catalog.ts';
import { tools } from '../tools/index.ts';
import { type Outcome, runTool } from '../tools/run.ts';
import { type CommandLine, UsageError, usage } from './usage.ts';

/** Between two signs of life where there is no terminal. */
const SIGN_MS = 10_000;

/** Runs one command of the command line and returns its exit code. */
export async function runCommandLine(line: CommandLine, app: () => App, signal: AbortSignal): Promise<number> {
  switch (line.command) {
    case 'help':
      process.stdout.write(`${usage}\n`);
      return 0;
    case 'version': {
      const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
        version: string;
      };
      process.stdout.write(`${version}\n`);
      return 0;
    }
    case 'tools':
      for (const tool of tools) process.stdout.write(`${tool.name.padEnd(30)}${tool.group.padEnd(24)}${tool.title}\n`);
      return 0;
    case 'tool':
      return callTool(line, app, signal);
    case 'search':
      return search(line, app(), signal);
    case 'index':
      return index(app(), signal);
    default:
      throw new UsageError(`There is no command "${line.command}".`);
  }
}

async function callTool(
  { args, thread, agent, confirmed }: CommandLine,
  app: () => App,
  signal: AbortSignal,
): Promise<number> {
  const [name, json = '{}', ...more] = args;
  const tool = name === undefined ? undefined : toolNamed(name);
  if (!tool)
    throw new UsageError(
      name ? `There is no tool "${name}". "loci tools" lists them.` : 'Name a tool. "loci tools" lists them.',
    );
  if (more.length > 0) throw new UsageError('Too many arguments; put the JSON in one pair of quotes.');
  let input: unknown;
  try {
    input = JSON.parse(json === '-' ? await text(process.stdin) : json);
  } catch (error) {
    throw new UsageError(`The input is not JSON: ${(error as Error).message}`);
  }
  const run = thread === undefined ? undefined : { id: thread, kept: true };
  const caller = { thread, agent };
  const outcome = await runTool(tool, input, { app: app(), caller, run, confirmed, signal });
  process.stdout.write(`${JSON.stringify(withImages(outcome))}\n`);
  return outcome.ok ? 0 : 1;
}

/** The editor gets pictures as parts of their own; here they go into the JSON, in base64. */
function withImages({ result, images }: Outcome): object {
  if (images.length === 0) return result;
  const shown = images.map(({ mime, bytes }) => ({
    mime_type: mime,
    bytes: bytes.length,
    data: Buffer.from(bytes).toString('base64'),
  }));
  return { ...result, images: shown };
}

async function search({ args, limit }: CommandLine, app: App, signal: AbortSignal): Promise<number> {
  const query = args.join(' ');
  if (query.trim() === '') throw new UsageError('Say what to search for: loci search WORDS');
  await withProgress(app, signal);
  const tool = toolNamed('search_knowledge')!;
  const { ok, result } = await runTool(tool, { query, top_k: limit }, { app, signal });
  if (!ok) {
    process.stderr.write(`loci: ${result.error} ${result.next_step}\n`);
    return 1;
  }
  const found = result.results as FoundChunk[];
  for (const { path, line, page, section, score, content } of found) {
    const place = line ? `:${line}` : page ? ` (page ${page})` : '';
    const preview = content
      .trim()
      .split('\n')
      .filter(Boolean)
      .slice(0, 4)
      .map((text) => `    ${text}`)
      .join('\n');
    process.stdout.write(`${path}${place}  ${section ?? ''}  [${score.toFixed(2)}]\n${preview}\n\n`);
  }
  if (found.length === 0) process.stdout.write(`${result.note}\n`);
  return 0;
}

async function index(app: App, signal: AbortSignal): Promise<number> {
  await withProgress(app, signal, true);
  const { index_status: status, semantic_index: semantic } = await app.knowledge.status({ allowed: null });
  process.stdout.write(
    `${status.status}: ${status.documents} documents, ${status.chunks} chunks${status.reason ? `. ${status.reason}` : ''}\n`,
  );
  process.stdout.write(
    `search by meaning: ${semantic.status}${'model' in semantic ? ` (${semantic.model})` : `. ${semantic.reason}`}\n`,
  );
  for (const { base, path, reason, detail } of await app.knowledge.skipped(undefined)) {
    process.stdout.write(`left out: ${base}/${path} (${reason}) ${detail}\n`);
  }
  return status.status === 'unavailable' ? 1 : 0;
}

/** Waits for the index and shows its progress: in one line on a terminal, else with a line now and then. */
async function withProgress(app: App, signal: AbortSignal, vectors = false): Promise<void> {
  const show = process.stderr.isTTY;
  const folders = app.host.folders().map(({ path }) => path);
  let last = `indexing ${folders.join(', ')}`;
  if (!show) process.stderr.write(`${last}\n`);
  const sign = setInterval(() => !show && process.stderr.write(`${last}\n`), SIGN_MS);
  app.on('status', ({ index_status: status, semantic_index: semantic }) => {
    const pending = status.pending_files ? `, ${status.pending_files} files to read` : '';
    const made = semantic.status === 'warming' ? `, ${semantic.done} of ${semantic.total} vectors` : '';
    const text = `indexing: ${status.documents} documents${pending}${made}`;
    if (show && text !== last) process.stderr.write(`\r\x1b[K${text}`);
    last = text;
  });
  await app.knowledge.settled({ ms: 24 * 3600_000, vectors }, signal).finally(() => clearInterval(sign));
  if (show) process.stderr.write('\r\x1b[K');
}
