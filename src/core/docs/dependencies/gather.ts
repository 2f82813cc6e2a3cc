import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { breathe, throwIfAborted } from '../../util/abort.ts';
import { docComments, nameOf } from './doc-comments.ts';
import type { InstalledPackage } from './package.ts';

/** What was gathered of one package. */
export interface Gathered {
  readonly documents: number;
  /** Documented declarations. */
  readonly declarations: number;
  /** True when the limits below left something out. */
  readonly partial: boolean;
}

const MOST_FILES = 200;
const MOST_BYTES = 4_000_000;
const LARGEST_FILE = 1_000_000;
const DEEPEST = 6;

const ROOT_DOCUMENT = /^(?:readme|changelog|changes|history|migrat(?:ing|ion)|upgrading|guide|api|faq)[\w.-]*$/i;
const DOCUMENT = /\.(?:md|mdx|markdown|rst|adoc|txt)$/i;
const NOT_DOCUMENTS = /^(?:licen[cs]e|copying|notice|code_of_conduct|contributing|security|third.?party)/i;
const DOCS_FOLDER = /^(?:docs?|documentation|guides?|website)$/i;
const DECLARATIONS = /\.d\.[cm]?ts$/;

/**
 * Copies a package's documents into a folder of its own: README, changelog, docs folders, and the doc comments of its
 * type declarations as one page for each file. The folder appears whole or not at all.
 */
export async function gather(found: InstalledPackage, target: string, signal?: AbortSignal): Promise<Gathered> {
  const temporary = `${target}.part`;
  await rm(temporary, { recursive: true, force: true });
  await mkdir(temporary, { recursive: true });
  const sink = createSink(temporary);
  const declarations =
    found.ecosystem === 'python' ? await fromMetadata(found, sink) : await fromFolder(found, sink, signal);
  const gathered = { documents: sink.files(), declarations, partial: sink.full() };
  await writeFile(join(temporary, '.gathered.json'), JSON.stringify(gathered));
  await rm(target, { recursive: true, force: true });
  await mkdir(dirname(target), { recursive: true });
  await rename(temporary, target);
  return gathered;
}

type Sink = ReturnType<typeof createSink>;

function createSink(folder: string) {
  let files = 0;
  let bytes = 0;
  let full = false;
  return {
    files: () => files,
    full: () => full,
    /** Keeps a document; false when there is no more room. */
    async put(path: string, text: string): Promise<boolean> {
      const size = Buffer.byteLength(text, 'utf8');
      if (files >= MOST_FILES || bytes + size > MOST_BYTES || size > LARGEST_FILE) {
        full = true;
        return false;
      }
      files++;
      bytes += size;
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
      return true;
    },
  };
}

/** The long description of a wheel, which is its README. */
async function fromMetadata({ name, version, folder }: InstalledPackage, sink: Sink): Promise<number> {
  const metadata = (await readFile(join(folder, 'METADATA'), 'utf8')).replaceAll('\r\n', '\n');
  const end = metadata.indexOf('\n\n');
  const summary = /^Summary:[ \t]*(.+)$/im.exec(metadata.slice(0, end < 0 ? undefined : end))?.[1] ?? '';
  const body = end < 0 ? '' : metadata.slice(end).trim();
  if (body !== '' || summary !== '') await sink.put('README.md', `# ${name} ${version}\n\n${summary}\n\n${body}\n`);
  return 0;
}

async function fromFolder(found: InstalledPackage, sink: Sink, signal?: AbortSignal): Promise<number> {
  let declarations = 0;
  const queue: { path: string; depth: number; inDocs: boolean }[] = [{ path: '', depth: 0, inDocs: false }];
  for (let next = queue.shift(); next; next = queue.shift()) {
    throwIfAborted(signal);
    await breathe();
    const { path, depth, inDocs } = next;
    const entries = await readdir(join(found.folder, path), { withFileTypes: true }).catch(() => []);
    const names = new Set(entries.map(({ name }) => name));
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const { name } = entry;
      // The same declarations for the other module system.
      if (/\.d\.[cm]ts$/.test(name) && names.has(name.replace(/[cm]ts$/, 'ts'))) continue;
      const inner = path === '' ? name : `${path}/${name}`;
      if (entry.isDirectory() && depth < DEEPEST && !name.startsWith('.') && name !== 'node_modules') {
        queue.push({ path: inner, depth: depth + 1, inDocs: inDocs || (depth === 0 && DOCS_FOLDER.test(name)) });
      } else if (entry.isFile() && DECLARATIONS.test(name)) {
        declarations += await putDeclarations(found, inner, sink);
      } else if (entry.isFile() && isDocument(name, path === '', inDocs)) {
        const text = await textOf(join(found.folder, inner));
        if (text !== undefined) await sink.put(extname(name) === '' ? `${inner}.md` : inner, text);
      }
    }
  }
  return declarations;
}

function isDocument(name: string, atRoot: boolean, inDocs: boolean): boolean {
  if (NOT_DOCUMENTS.test(name)) return false;
  if (inDocs) return DOCUMENT.test(name);
  if (!atRoot) return /^readme[\w.-]*\.(?:md|mdx|markdown|rst)$/i.test(name);
  return ROOT_DOCUMENT.test(name) && (DOCUMENT.test(name) || extname(name) === '');
}

/** A page with every documented declaration of a file; none for a file without any. Gives their number. */
async function putDeclarations(found: InstalledPackage, path: string, sink: Sink): Promise<number> {
  const source = await textOf(join(found.folder, path));
  const comments = source === undefined ? [] : docComments(source);
  if (comments.length === 0) return 0;
  const parts = comments.map(({ declaration, text }) => {
    const name = nameOf(declaration);
    return `${name ? `## ${name}\n\n` : ''}\`\`\`ts\n${declaration}\n\`\`\`\n\n${text}\n`;
  });
  const page = `# ${found.name} ${found.version}: ${path}\n\n${parts.join('\n')}`;
  return (await sink.put(`types/${path}.md`, page)) ? comments.length : 0;
}

async function textOf(path: string): Promise<string | undefined> {
  const info = await stat(path).catch(() => undefined);
  if (!info || info.size > LARGEST_FILE) return undefined;
  const text = await readFile(path, 'utf8').catch(() => undefined);
  return text?.includes('\0') ? undefined : text;
}
