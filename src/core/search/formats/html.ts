import type { Reader, SourceDocument } from '../document.ts';
import { decodeText } from './decode.ts';
import { toMarkdown } from './html-markdown.ts';
import { parsePage } from './html-tree.ts';
import { markdownDocument } from './markdown.ts';
import { textDocument } from './text.ts';

/** Reads the main content of an HTML page as Markdown. The title is the page's, or else the first heading. */
export const readHtml: Reader = async ({ path, bytes }, signal) => {
  signal?.throwIfAborted();
  const { text, warnings } = decodeText(bytes, path);
  return htmlDocument(text, warnings);
};

/** HTML that is already text, as a document. For formats that are turned into HTML first, too. */
export function htmlDocument(html: string, warnings: readonly string[]): SourceDocument {
  const page = parsePage(html);
  if (!page) {
    const note = 'The HTML is nested too deeply to be parsed; its text was read without structure.';
    return textDocument(html.replace(/<[^<>]*>/g, ' '), [...warnings, note]);
  }
  const text = page.main ? toMarkdown(page.main) : '';
  return markdownDocument(text && `${text}\n`, { title: page.title, warnings });
}
