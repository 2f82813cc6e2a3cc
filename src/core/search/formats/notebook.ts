import type { Block, Reader } from '../document.ts';
import { decodeText } from './decode.ts';
import { fence } from './html-markdown.ts';
import { markdownDocument } from './markdown.ts';
import { type Cell, type Output, parseNotebook, pictureOf } from './notebook-cells.ts';

const maxOutput = 4000;

/**
 * Reads a Jupyter notebook: Markdown cells as they are, code fenced, outputs fenced and shortened. A picture in an
 * output is a block of its own with the locator `cell:3/output:0`, both counted from 0.
 */
export const readNotebook: Reader = async ({ path, bytes }, signal) => {
  signal?.throwIfAborted();
  const { text: json, warnings } = decodeText(bytes, path);
  const notebook = parseNotebook(json, path);
  const parts: string[] = [];
  const blocks: Block[] = [];
  let at = 0;
  const add = (source: string, describe: (text: string) => readonly Block[]): void => {
    if (!source.trim()) return;
    const text = `${source.trim()}\n\n`;
    for (const block of describe(text)) blocks.push({ ...block, start: block.start + at, end: block.end + at });
    parts.push(text);
    at += text.length;
  };
  for (const [index, cell] of notebook.cells.entries()) {
    if (cell.kind === 'markdown') add(cell.source, (text) => cellBlocks(text, index));
    else
      add(
        cell.kind === 'code' ? code(cell, notebook.language) : cell.source,
        whole(cell.kind === 'code' ? 'code' : 'text'),
      );
    for (const [number, output] of cell.outputs.entries()) {
      if (pictureOf(output)) {
        const image = { locator: `cell:${index}/output:${number}`, alt: `Output of cell ${index}` };
        add(`![${image.alt}](${image.locator})`, (text) => [
          { kind: 'image', start: 0, end: text.length, images: [image] },
        ]);
      } else add(outputText(output), whole('code'));
    }
  }
  const title = notebook.title || blocks.find((block) => block.heading)?.heading || '';
  return { title, text: parts.join(''), blocks, warnings };
};

function whole(kind: Block['kind']): (text: string) => Block[] {
  return (text) => [{ kind, start: 0, end: text.length }];
}

/** A Markdown cell's blocks. Its attachments become places in the notebook: `cell:3/attachment:a.png`. */
function cellBlocks(text: string, index: number): Block[] {
  return markdownDocument(text).blocks.map((block) => {
    if (!block.images) return block;
    const images = block.images.map(({ locator, alt }) => ({
      locator: locator.startsWith('attachment:') ? `cell:${index}/${locator}` : locator,
      alt,
    }));
    return { ...block, images };
  });
}

function code(cell: Cell, language: string): string {
  return cell.source.trim() ? fence(cell.source.trimEnd(), cell.language || language) : '';
}

function outputText(output: Output): string {
  const text = output.text.trim();
  if (!text) return '';
  const kept = text.length > maxOutput ? text.slice(0, maxOutput).toWellFormed() : text;
  const left = text.length - kept.length;
  return fence(
    left > 0 ? `${kept}\n… (${left} more characters of this output are left out)` : kept,
    output.error ? 'error' : 'output',
  );
}
