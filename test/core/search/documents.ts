import type { ChunkedDocument } from '../../../src/core/search/document.ts';

/** A document of one section whose chunks are the given texts. */
export function documentOf(title: string, texts: readonly string[]): ChunkedDocument {
  const text = texts.join('');
  let end = 0;
  const chunks = texts.map((part) => {
    end += part.length;
    return { kind: 'text' as const, section: 0, start: end - part.length, end };
  });
  const section = { path: [], parent: -1, start: 0, end: text.length, firstChunk: 0, endChunk: chunks.length };
  return { title, text, sections: [section], chunks, warnings: [] };
}
