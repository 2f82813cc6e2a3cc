import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createWordTable } from '../../../src/core/search/word-table.ts';

it('numbers words as a Map would, whatever their case', () => {
  const word = fc.string({ unit: fc.constantFrom(...'aAbBzZ019'), minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(fc.array(word, { maxLength: 3000 }), (words) => {
      const table = createWordTable();
      const numbers = new Map<string, number>();
      const text = words.join(' ');
      let start = 0;
      for (const each of words) {
        const key = each.toLowerCase();
        if (!numbers.has(key)) numbers.set(key, numbers.size);
        expect(table.numberOf(text, start, start + each.length)).toBe(numbers.get(key));
        start += each.length + 1;
      }
      expect(table.letters).toBe([...numbers.keys()].join('').length);
    }),
    { numRuns: 30 },
  );
});
