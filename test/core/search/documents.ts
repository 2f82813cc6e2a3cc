import fc from 'fast-check';
import type { ChunkedDocument } from '../../../src/core/search/document.ts';
import type { Embedder } from '../../../src/core/search/engine.ts';

/** A document of one section whose chunks are the given texts. */
export function documentOf(title: string, texts: readonly string[], path: readonly string[] = []): ChunkedDocument {
  const text = texts.join('');
  let end = 0;
  const chunks = texts.map((part) => {
    end += part.length;
    return { kind: 'text' as const, section: 0, start: end - part.length, end };
  });
  const section = { path, parent: -1, start: 0, end: text.length, firstChunk: 0, endChunk: chunks.length };
  return { title, text, sections: [section], chunks, warnings: [] };
}

const WORDS = [
  'alpha',
  'beta',
  'getUserName',
  'user',
  'name',
  'constructor',
  '__proto__',
  'toString',
  'naïve',
  '日本語',
  'x1',
];
const someWords = (most: number) =>
  fc.array(fc.constantFrom(...WORDS), { maxLength: most }).map((words) => words.join(' '));

/** Files of a few chunks, of words that come again and again. */
export const files = fc.dictionary(
  fc.constantFrom('a.md', 'docs/b.md', 'docs/c.md', 'docs/guide/d.md', 'e.txt'),
  fc.record({
    title: someWords(2),
    heading: someWords(2),
    chunks: fc.array(someWords(8), { minLength: 1, maxLength: 4 }),
  }),
);

export const queries = fc.array(fc.constantFrom(...WORDS, 'absent', 'alpa', '"alpha beta"'), {
  minLength: 1,
  maxLength: 4,
});

export function toDocument({
  title,
  heading,
  chunks,
}: {
  title: string;
  heading: string;
  chunks: string[];
}): ChunkedDocument {
  return documentOf(title, chunks, heading === '' ? [] : [heading]);
}

/** Vectors by counting letters: the same for the same text, and near for texts near to it. */
export const letterEmbedder: Embedder & { encode(text: string): Float32Array } = {
  provider: 'test',
  model: 'letters',
  dimensions: 8,
  weight: 0.3,
  instant: true,
  encode(text) {
    const vector = new Float32Array(8).fill(1e-3);
    for (const letter of text) vector[letter.codePointAt(0)! % 8]! += 1;
    const length = Math.hypot(...vector);
    return vector.map((value) => value / length);
  },
  embed: async (texts) => texts.map((text) => letterEmbedder.encode(text)),
};
