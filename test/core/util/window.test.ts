import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonBytes } from '../../../src/core/util/page.ts';
import { type PaginationMode, windowOf } from '../../../src/core/util/window.ts';

const ROOM = 200;

/** Reads a text window by window as a caller would, going on with `next_start` and the rest of a unit that is too large. */
function readThrough(text: string, mode: PaginationMode, count: number | null, ends: readonly number[]): string {
  let all = '';
  for (let start: number | null = 0; start !== null; ) {
    const window = windowOf(text, { mode, start, count }, ends, ROOM);
    expect(jsonBytes(window.content)).toBeLessThanOrEqual(ROOM + 2);
    all += window.content;
    if (window.rest_of_unit) {
      const unitEnd = mode === 'chunks' ? ends[start]! : endOfLine(text, all.length - 1);
      const rest = text.slice(window.rest_of_unit.start, unitEnd);
      expect(window.rest_of_unit.start).toBe(all.length);
      all += rest;
    }
    start = window.next_start;
  }
  return all;
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end + 1;
}

const texts = fc.string({ unit: fc.constantFrom('a', 'é', '\n', ' ', '"', '😀', 'word '), maxLength: 600 });

test('windows of lines, characters and chunks give the text back, whatever their size', () => {
  fc.assert(
    fc.property(
      texts,
      fc.constantFrom('lines', 'chars', 'chunks' as const),
      fc.option(fc.integer({ min: 1, max: 50 })),
      (text, mode, count) => {
        const ends = [...text.matchAll(/ /g)].map(({ index }) => index + 1).filter((end) => end < text.length);
        const chunkEnds = text === '' ? [] : [...ends, text.length];
        expect(readThrough(text, mode as PaginationMode, count, chunkEnds)).toBe(text);
      },
    ),
  );
});

test('the defaults are 400 lines, 20,000 characters and 20 chunks', () => {
  const text = 'x\n'.repeat(20_000);
  const ends = Array.from({ length: 50 }, (_, i) => (i + 1) * 800);
  const size = (mode: PaginationMode) => windowOf(text, { mode, start: 0, count: null }, ends, 1_000_000).returned;
  expect([size('lines'), size('chars'), size('chunks')]).toEqual([400, 20_000, 20]);
});

test('a start past the end is an empty window, and says how long the text is', () => {
  const window = windowOf('a\nb\n', { mode: 'lines', start: 9, count: null }, [], ROOM);
  expect(window).toMatchObject({ content: '', returned: 0, total: 2, has_more: false, next_start: null });
});

test('a line too large for an answer names where the rest of it is', () => {
  const window = windowOf(`${'x'.repeat(500)}\nnext\n`, { mode: 'lines', start: 0, count: null }, [], ROOM);
  expect(window).toMatchObject({ limited_by_size: true, returned: 1, next_start: 1 });
  expect(window.rest_of_unit).toEqual({ pagination_mode: 'chars', start: window.content.length });
});
