import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDictionary, findTerm, termsLike, termsWithPrefix } from '../../../src/core/search/dictionary.ts';
import { createDuplicateFinder } from '../../../src/core/search/duplicates.ts';
import { FIELD_BITS, frequency, increment } from '../../../src/core/search/fields.ts';
import { maskOf } from '../../../src/core/search/filter.ts';
import { createChunkTable } from '../../../src/core/search/table.ts';
import { createTop } from '../../../src/core/search/top.ts';
import { editDistance } from '../../../src/core/search/typo.ts';

describe('the best of a stream', () => {
  it('is the head of the sorted whole, equal scores in the given order', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 4 })), fc.integer({ min: 1, max: 8 }), (scores, limit) => {
        const top = createTop(limit, (a, b) => a > b);
        for (const [slot, score] of scores.entries()) top.add(slot, score);
        const sorted = scores
          .map((score, slot) => ({ slot, score }))
          .sort((a, b) => b.score - a.score || b.slot - a.slot);
        expect(top.list()).toEqual(sorted.slice(0, limit));
      }),
    );
  });
});

describe('a dictionary', () => {
  const dictionaryOf = (terms: string[]) => {
    const bytes = terms.map((term) => Buffer.from(term));
    const ends = bytes.map(({ length }) => length);
    return createDictionary(
      Buffer.concat(bytes),
      Uint32Array.from(
        [0, ...ends].map(
          (
            (sum) => (n) =>
              (sum += n)
          )(0),
        ),
      ),
    );
  };

  it('finds each of its terms, and no other', () => {
    const words = fc.uniqueArray(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 }), { maxLength: 60 });
    fc.assert(
      fc.property(words, fc.string({ maxLength: 3 }), (terms, other) => {
        const dictionary = dictionaryOf(terms);
        for (const [id, term] of terms.entries()) expect(findTerm(dictionary, term)).toBe(id);
        expect(findTerm(dictionary, other)).toBe(terms.indexOf(other));
        expect(termsWithPrefix(dictionary, other)).toEqual(terms.filter((term) => term.startsWith(other)));
      }),
    );
  });

  it('lists terms like a word: of its first letter and about its length', () => {
    expect(termsLike(dictionaryOf(['cat', 'care', 'carpet', 'bat']), 'cart', 1)).toEqual(['cat', 'care']);
  });
});

describe('packed frequencies', () => {
  it('count each field for itself, up to what its bits hold', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 4 }), { maxLength: 400 }), (fields) => {
        const packed = fields.reduce((sum, field) => increment(sum, field), 0);
        for (const [field, bits] of FIELD_BITS.entries()) {
          expect(frequency(packed, field)).toBe(Math.min(fields.filter((one) => one === field).length, 2 ** bits - 1));
        }
      }),
    );
  });
});

describe('edit distance', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 6 });

  /** By its definition, without a table. */
  function distance(a: string, b: string): number {
    if (a === '' || b === '') return a.length + b.length;
    const rest = distance(a.slice(1), b.slice(1));
    if (a[0] === b[0]) return rest;
    const swap = a.length > 1 && a[0] === b[1] && a[1] === b[0] ? 1 + distance(a.slice(2), b.slice(2)) : 99;
    return Math.min(1 + rest, 1 + distance(a.slice(1), b), 1 + distance(a, b.slice(1)), swap);
  }

  it('counts insertions, deletions, substitutions and swaps', () => {
    fc.assert(
      fc.property(letters, letters, fc.integer({ min: 0, max: 3 }), (a, b, most) => {
        const expected = distance(a, b);
        expect(editDistance(a, b, most)).toBe(expected <= most ? expected : undefined);
      }),
    );
  });
});

describe('the duplicate finder', () => {
  const isSame = createDuplicateFinder();
  const words = Array.from({ length: 100 }, (_, i) => `word${i}`);

  it('takes texts for the same that differ in little, whatever their case and punctuation', () => {
    const text = words.join(' ');
    expect(isSame(text, text.toUpperCase().replace(' ', ', '))).toBe(true);
    expect(isSame(text, text.replace('word50', 'other'))).toBe(true);
  });

  it('keeps texts apart that differ in more', () => {
    expect(isSame(words.join(' '), words.toReversed().join(' '))).toBe(false);
    expect(isSame(words.join(' '), words.slice(0, 80).join(' '))).toBe(false);
    expect(isSame('Returns the width.', 'Returns the depth.')).toBe(false);
    expect(isSame('', '')).toBe(true);
  });
});

describe('a filter', () => {
  it('narrows by file, folder, place and kind, alone and together', () => {
    const table = createChunkTable();
    for (const path of ['a.md', 'docs/b.md', 'docs/c.md']) {
      table.addFile(path, '', 2);
      table.add('text', '', path);
      table.add('code', '', path);
    }
    const slots = (filter: Parameters<typeof maskOf>[1]) =>
      [...maskOf(table, filter)].flatMap((set, i) => (set ? [i] : []));
    expect(slots({})).toEqual([0, 1, 2, 3, 4, 5]);
    expect(slots({ file: { in: ['a.md', 'docs/c.md', 'absent'] } })).toEqual([0, 1, 4, 5]);
    expect(slots({ folders: { containsAny: ['docs/'] }, kind: { in: ['code'] } })).toEqual([3, 5]);
    expect(
      slots({ or: [{ file: { eq: 'a.md' } }, { file: { eq: 'docs/b.md' }, chunk: { between: [1, 9] } }] }),
    ).toEqual([0, 1, 3]);
    expect(slots({ and: [{ kind: { in: ['text'] } }, { folders: { containsAny: ['docs/'] } }] })).toEqual([2, 4]);
    expect(slots({ or: [] })).toEqual([]);
  });
});
