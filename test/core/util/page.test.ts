import fc from 'fast-check';
import { expect, test } from 'vitest';
import { brief, cutText, jsonBytes, page } from '../../../src/core/util/page.ts';

const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc.string({ unit: fc.constantFrom('a', ' ', '\n', '"', '\\', '漢', '😀', '\u0001'), maxLength: 400 }),
);

test('cut text is a beginning, within its bytes, and never ends inside a character', () => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 20, max: 500 }), (text, maxBytes) => {
      const cut = cutText(text, maxBytes);
      expect(text.startsWith(cut)).toBe(true);
      expect(jsonBytes(cut)).toBeLessThanOrEqual(maxBytes);
      if (jsonBytes(text) <= maxBytes) expect(cut).toBe(text);
      else {
        expect(cut.length).toBeGreaterThan(0);
        const last = cut.charCodeAt(cut.length - 1);
        const next = text.charCodeAt(cut.length);
        const inside = last >= 0xd800 && last <= 0xdbff && next >= 0xdc00 && next <= 0xdfff;
        expect(inside).toBe(false);
      }
    }),
  );
});

test('following the cuts gives the whole text once', () => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 20, max: 100 }), (text, maxBytes) => {
      let joined = '';
      while (joined.length < text.length) joined += cutText(text.slice(joined.length), maxBytes);
      expect(joined).toBe(text);
    }),
  );
});

test('a brief name fits its bytes and says that it is cut', () => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 20, max: 300 }), (text, maxBytes) => {
      const shown = brief(text, maxBytes);
      expect(jsonBytes(shown)).toBeLessThanOrEqual(maxBytes);
      expect(shown === text || shown.endsWith('…')).toBe(true);
    }),
  );
});

test('following next_offset meets each item once, in order, each page within its bytes', () => {
  fc.assert(
    fc.property(
      fc.array(texts, { maxLength: 60 }),
      fc.integer({ min: 1, max: 100 }),
      fc.integer({ min: 50, max: 3000 }),
      (items, limit, maxBytes) => {
        const met: string[] = [];
        let offset: number | null = 0;
        while (offset !== null) {
          const { items: shown, pagination }: ReturnType<typeof page<string, string>> = page(
            items,
            { limit, offset },
            (item) => item,
            maxBytes,
          );
          expect(shown.length).toBe(pagination.returned);
          expect(shown.length).toBeLessThanOrEqual(limit);
          if (shown.length > 1) expect(jsonBytes(shown)).toBeLessThanOrEqual(maxBytes + 2);
          expect(pagination.has_more).toBe(pagination.next_offset !== null);
          expect(pagination.total).toBe(items.length);
          met.push(...shown);
          offset = pagination.next_offset;
        }
        expect(met).toEqual(items);
      },
    ),
  );
});

test('an offset past the end gives an empty last page', () => {
  const { items, pagination } = page([1, 2], { limit: 5, offset: 9 }, (item) => item);
  expect(items).toEqual([]);
  expect(pagination).toMatchObject({ total: 2, returned: 0, has_more: false, next_offset: null });
});
