import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chunkDocument } from '../../../src/core/search/chunk.ts';
import { estimateTokens } from '../../../src/core/search/cut.ts';
import type { Block, BlockKind, ChunkedDocument, SourceDocument } from '../../../src/core/search/document.ts';

const word = fc.constantFrom('alpha', 'beta.', 'gamma', '数据', '😀', 'δέλτα', '\n', 'x'.repeat(40));
const body = fc.oneof(
  { weight: 8, arbitrary: fc.array(word, { minLength: 1, maxLength: 60 }) },
  { weight: 1, arbitrary: fc.array(word, { minLength: 1000, maxLength: 3000 }) },
);
const kind = fc.constantFrom<BlockKind>('heading', 'text', 'text', 'list-item', 'table', 'code', 'image');
const documents = fc.array(fc.tuple(kind, body, fc.integer({ min: 1, max: 6 })), { maxLength: 30 }).map(build);

function build(parts: readonly (readonly [BlockKind, readonly string[], number])[]): SourceDocument {
  const blocks: Block[] = [];
  let text = '';
  for (const [kind, words, level] of parts) {
    const start = text.length;
    const content = kind === 'heading' ? words.slice(0, 5) : words;
    text += `${content.join(' ')}\n\n`;
    const images = kind === 'image' ? { images: [{ locator: `${start}.png`, alt: '' }] } : {};
    const heading = kind === 'heading' ? { level, heading: content.join(' ') } : {};
    blocks.push({ kind, start, end: text.length, ...heading, ...images });
  }
  return { title: '', text, blocks, warnings: [] };
}

function paragraph(tokens: number, kind: BlockKind = 'text'): readonly [BlockKind, string[], number] {
  return [kind, Array.from({ length: Math.round((tokens * 4) / 6) }, () => 'gamma'), 1];
}

function sizes({ text, chunks }: ChunkedDocument): number[] {
  return chunks.map((chunk) => estimateTokens(text, chunk.start, chunk.end));
}

describe('chunkDocument', () => {
  it('tiles the text: chunks joined are the document', () => {
    fc.assert(
      fc.property(documents, (source) => {
        const { text, chunks } = chunkDocument(source);
        expect(chunks.map(({ start, end }) => text.slice(start, end)).join('')).toBe(source.text);
        expect(chunks.every(({ start, end }) => end > start)).toBe(true);
      }),
    );
  });

  it('cuts no block but those many times too large, and no character', () => {
    fc.assert(
      fc.property(documents, (source) => {
        const { text, chunks } = chunkDocument(source);
        for (const { start } of chunks) {
          const inside = source.blocks.find((block) => block.start < start && start < block.end);
          if (inside)
            expect(estimateTokens(text, inside.start, inside.end)).toBeGreaterThan(inside.kind === 'text' ? 900 : 2000);
          expect(text.slice(start).isWellFormed()).toBe(true);
        }
      }),
    );
  });

  it('bounds a chunk unless one whole block is larger', () => {
    fc.assert(
      fc.property(documents, (source) => {
        const { text, chunks } = chunkDocument(source);
        for (const { start, end } of chunks) {
          const whole = source.blocks.filter((block) => start <= block.start && block.end <= end);
          const largest = Math.max(450, ...whole.map((block) => estimateTokens(text, block.start, block.end)));
          const headings = whole.filter((block) => block.kind === 'heading').length * 60;
          expect(estimateTokens(text, start, end)).toBeLessThanOrEqual(largest * 1.2 + headings + 1);
        }
      }),
    );
  });

  it('nests the sections, covers the document with them and starts each with its heading', () => {
    fc.assert(
      fc.property(documents, (source) => {
        const { text, sections, chunks } = chunkDocument(source);
        expect(sections[0]).toMatchObject({
          path: [],
          parent: -1,
          start: 0,
          end: text.length,
          firstChunk: 0,
          endChunk: chunks.length,
        });
        const headings = source.blocks.filter((block) => block.kind === 'heading');
        expect(sections.slice(1).map((section) => section.start)).toEqual(headings.map((block) => block.start));
        for (const [index, section] of sections.entries()) {
          if (index === 0) continue;
          const parent = sections[section.parent]!;
          expect(section.parent).toBeLessThan(index);
          expect(section.path).toEqual([...parent.path, headings[index - 1]?.heading]);
          expect(parent.start <= section.start && section.end <= parent.end).toBe(true);
          expect(chunks[section.firstChunk]).toMatchObject({ start: section.start, section: index });
          expect(chunks[section.endChunk - 1]?.end).toBe(section.end);
        }
      }),
    );
  });

  it('puts a chunk into the innermost section that holds it', () => {
    fc.assert(
      fc.property(documents, (source) => {
        const { sections, chunks } = chunkDocument(source);
        for (const { start, end, section } of chunks) {
          const holding = sections.filter((one) => one.start <= start && end <= one.end);
          expect(sections[section]).toBe(holding.at(-1));
        }
      }),
    );
  });

  it('loses and repeats no picture', () => {
    fc.assert(
      fc.property(documents, (source) => {
        const shown = chunkDocument(source).chunks.flatMap((chunk) => chunk.images ?? []);
        expect(shown).toEqual(source.blocks.flatMap((block) => block.images ?? []));
      }),
    );
  });

  it('closes sections at a heading of the same level or above, whatever levels are skipped', () => {
    const source = build([
      ['text', ['before'], 0],
      ['heading', ['A'], 1],
      ['heading', ['B'], 3],
      ['heading', ['C'], 2],
      ['heading', ['D'], 1],
    ]);
    const { sections, chunks } = chunkDocument(source);
    expect(sections.map(({ path }) => path.join('/'))).toEqual(['', 'A', 'A/B', 'A/C', 'D']);
    expect(sections.map(({ parent }) => parent)).toEqual([-1, 0, 1, 1, 0]);
    expect(chunks.map(({ section }) => section)).toEqual([0, 1, 2, 3, 4]);
  });

  it('shares a section out evenly, with no small rest', () => {
    const source = build(Array.from({ length: 10 }, () => paragraph(50)));
    const found = sizes(chunkDocument(source));
    expect(found).toHaveLength(2);
    expect(Math.min(...found)).toBeGreaterThan(200);
  });

  it('keeps a heading with the block it stands over, however large', () => {
    const source = build([['heading', ['Title'], 1], paragraph(800, 'code'), paragraph(20)]);
    const { chunks } = chunkDocument(source);
    expect(chunks[0]).toMatchObject({ start: 0, end: source.blocks[1]?.end });
  });

  it('names the kind of what stands alone, and makes a picture its own chunk', () => {
    const one = (kind: BlockKind) => [kind, ['alpha'], 1] as const;
    const kinds = (...parts: BlockKind[]) => chunkDocument(build(parts.map(one))).chunks.map((chunk) => chunk.kind);
    expect(kinds('table')).toEqual(['table']);
    expect(kinds('heading', 'code')).toEqual(['code']);
    expect(kinds('text', 'code')).toEqual(['text']);
    expect(kinds('text', 'image', 'text')).toEqual(['text', 'image', 'text']);
    expect(kinds('heading', 'image')).toEqual(['image']);
  });

  it('cuts a huge table at its rows', () => {
    const text = `${Array.from({ length: 5000 }, (_, row) => `| ${row} | value |`).join('\n')}\n`;
    const { chunks } = chunkDocument({
      title: '',
      text,
      blocks: [{ kind: 'table', start: 0, end: text.length }],
      warnings: [],
    });
    expect(chunks.length).toBeGreaterThan(20);
    expect(chunks.every(({ start, kind }) => text[start] === '|' && kind === 'table')).toBe(true);
  });

  it('cuts a long paragraph after sentences', () => {
    const text = 'One two three four five six. '.repeat(400);
    const { chunks } = chunkDocument({
      title: '',
      text,
      blocks: [{ kind: 'text', start: 0, end: text.length }],
      warnings: [],
    });
    expect(chunks.length).toBeGreaterThan(5);
    expect(chunks.every(({ start }) => text.startsWith('One', start))).toBe(true);
  });

  it('makes no chunk of an empty document', () => {
    const { sections, chunks } = chunkDocument(build([]));
    expect(chunks).toEqual([]);
    expect(sections).toEqual([{ path: [], parent: -1, start: 0, end: 0, firstChunk: 0, endChunk: 0 }]);
  });
});
