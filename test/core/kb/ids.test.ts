import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { documentHalf, isUuid, nodeId, places } from '../../../src/core/kb/ids.ts';
import { chunkDocument } from '../../../src/core/search/chunk.ts';
import { read } from '../search/formats/read.ts';

const placesOf = async (markdown: string) => places(chunkDocument(await read('a.md', markdown)));

test('an id is a UUID of version 8, the same whenever it is made', () => {
  const id = nodeId('workspace', 'docs/a.md', 'x');
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(isUuid(id)).toBe(true);
  expect(nodeId('workspace', 'docs/a.md', 'x')).toBe(id);
});

test('ids differ by base, path and place, and share their document half within a document', () => {
  const part = fc.string({ unit: fc.constantFrom('a', 'b', '/', '\u001f', 'é'), maxLength: 4 });
  const node = fc.tuple(part, part, part);
  fc.assert(
    fc.property(node, node, (one, other) => {
      const same = one.join('\0') === other.join('\0');
      expect(nodeId(...one) === nodeId(...other)).toBe(same);
      const sameDocument = one[0] === other[0] && one[1] === other[1];
      expect(documentHalf(nodeId(...one)) === documentHalf(nodeId(...other))).toBe(sameDocument);
    }),
  );
});

describe('places', () => {
  const heading = fc.string({ unit: fc.constantFrom('a', '2', ' ', '\u001d', '\u001e', '\u001f'), maxLength: 3 });
  const outline = fc.array(fc.tuple(fc.integer({ min: 1, max: 4 }), heading), { maxLength: 30 });

  test('each section and chunk has a place of its own, whatever the headings', () => {
    fc.assert(
      fc.property(outline, (headings) => {
        let text = '';
        const blocks = headings.flatMap(([level, name]) => {
          const start = text.length;
          text += `# ${name}\n`;
          const middle = text.length;
          text += 'words\n';
          return [
            { kind: 'heading' as const, level, heading: name, start, end: middle },
            { kind: 'text' as const, start: middle, end: text.length },
          ];
        });
        const { sections, chunks } = places(chunkDocument({ title: '', text, blocks, warnings: [] }));
        const all = [...sections, ...chunks];
        expect(new Set(all).size).toBe(all.length);
      }),
    );
  });

  test('an edit in one section leaves the places of all others', async () => {
    const before = await placesOf('# A\n\nintro\n\n## One\n\nfirst\n\n## Two\n\nsecond\n');
    const long = 'A sentence of some length that fills the section. '.repeat(200);
    const after = await placesOf(`# A\n\nintro\n\n## One\n\n${long}\n\n### New\n\nmore\n\n## Two\n\nsecond\n`);
    const two = (set: { chunks: string[] }) => set.chunks.filter((place) => place.includes('Two'));
    expect(two(before)).toHaveLength(1);
    expect(two(after)).toEqual(two(before));
    for (const section of before.sections) expect(after.sections).toContain(section);
  });

  test('siblings that share a heading are numbered; the same heading elsewhere is not', async () => {
    const { sections } = await placesOf('# A\n\n## Notes\n\n## Notes\n\n# B\n\n## Notes\n');
    expect(new Set(sections).size).toBe(6);
    const without = await placesOf('# A\n\n## Notes\n\n# B\n\n## Notes\n');
    for (const section of without.sections) expect(sections).toContain(section);
  });
});
