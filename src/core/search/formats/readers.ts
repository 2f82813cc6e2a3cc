import type { Reader } from '../document.ts';

const readers = {
  asciidoc: lazy(async () => (await import('./asciidoc.ts')).readAsciidoc),
  code: lazy(async () => (await import('./code.ts')).readCode),
  docx: lazy(async () => (await import('./docx.ts')).readDocx),
  html: lazy(async () => (await import('./html.ts')).readHtml),
  markdown: lazy(async () => (await import('./markdown.ts')).readMarkdown),
  notebook: lazy(async () => (await import('./notebook.ts')).readNotebook),
  pdf: lazy(async () => (await import('./pdf.ts')).readPdf),
  rst: lazy(async () => (await import('./rst.ts')).readRst),
  text: lazy(async () => (await import('./text.ts')).readText),
};

const byExtension: Readonly<Record<string, Reader>> = {
  md: readers.markdown,
  markdown: readers.markdown,
  mdx: readers.markdown,
  rst: readers.rst,
  rest: readers.rst,
  adoc: readers.asciidoc,
  asciidoc: readers.asciidoc,
  asc: readers.asciidoc,
  html: readers.html,
  htm: readers.html,
  xhtml: readers.html,
  ipynb: readers.notebook,
  docx: readers.docx,
  pdf: readers.pdf,
  txt: readers.text,
  text: readers.text,
};

/** Files that are documents though their names have no extension. */
const bareNames =
  /^(?:authors|changelog|changes|contributing|contributors|copying|history|install|licen[cs]e|news|notice|readme|security|todo|upgrading)$/;

/** Formats that are never text; everything else that has no reader of its own is read as source code. */
const opaque = new Set(
  (
    '7z a aac avi avif bin bmp bz2 class db dll dmg doc dylib eot exe flac gif gz heic ico iso jar jpeg jpg lz4 mkv mov mp3 mp4 ' +
    'node o obj ogg otf parquet png ppt pptx pyc rar so sqlite tar tgz tif tiff ttf vsix wasm wav webm webp woff woff2 xls xlsx xz zip zst'
  ).split(' '),
);

/** Whether a file is a document by its name, so that a knowledge base holds it without being told to. */
export function isDocument(path: string): boolean {
  const { name, extension } = split(path);
  return extension === '' ? bareNames.test(name) : Object.hasOwn(byExtension, extension);
}

/** The reader for a file, judged by its name: any file that may be text has one. Undefined for archives, media and the like. */
export function readerFor(path: string): Reader | undefined {
  const { name, extension } = split(path);
  if (extension === '' && bareNames.test(name)) return readers.text;
  if (Object.hasOwn(byExtension, extension)) return byExtension[extension];
  return opaque.has(extension) ? undefined : readers.code;
}

function split(path: string): { name: string; extension: string } {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1).toLowerCase();
  const dot = name.lastIndexOf('.');
  return { name, extension: dot > 0 ? name.slice(dot + 1) : '' };
}

/** A reader that is loaded when first used: some formats need packages of megabytes. */
function lazy(load: () => Promise<Reader>): Reader {
  return async (file, signal) => (await load())(file, signal);
}
