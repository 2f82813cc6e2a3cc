import type { Reader } from '../document.ts';

const markdown = lazy(async () => (await import('./markdown.ts')).readMarkdown);
const text = lazy(async () => (await import('./text.ts')).readText);

const byExtension: Readonly<Record<string, Reader>> = {
  md: markdown,
  markdown,
  mdx: markdown,
  txt: text,
  text,
};

/** The reader for a file, judged by its name; undefined for formats that hold no text. */
export function readerFor(path: string): Reader | undefined {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1).toLowerCase();
  return byExtension[name.slice(name.lastIndexOf('.') + 1)];
}

/** A reader that is loaded when first used: some formats need packages of megabytes. */
function lazy(load: () => Promise<Reader>): Reader {
  return async (file, signal) => (await load())(file, signal);
}
