import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Arrow, layout } from '../../src/vscode/views/lineage-layout.ts';

const graph = fc.integer({ min: 1, max: 25 }).chain((count) => {
  const name = fc.integer({ min: 0, max: count - 1 }).map((i) => `n${i}`);
  return fc.record({
    heights: fc
      .array(fc.integer({ min: 20, max: 300 }), { minLength: count, maxLength: count })
      .map((all) => new Map(all.map((height, i) => [`n${i}`, height]))),
    arrows: fc.array(fc.record({ from: name, to: name }), { maxLength: 60 }),
  });
});

describe('the layout of a lineage picture', () => {
  test('no two boxes overlap, and each has the height it asked for', () => {
    fc.assert(
      fc.property(graph, ({ heights, arrows }) => {
        const boxes = [...layout(heights, arrows).boxes.values()];
        expect(boxes.length).toBe(heights.size);
        for (const [i, a] of boxes.entries()) {
          expect(a.height).toBe(heights.get(a.name));
          for (const b of boxes.slice(i + 1)) {
            const apart = a.x + a.width < b.x || b.x + b.width < a.x || a.y + a.height < b.y || b.y + b.height < a.y;
            expect(apart, `${a.name} and ${b.name}`).toBe(true);
          }
        }
      }),
    );
  });

  test('arrows run from left to right but for those that close a cycle, without which there is none', () => {
    fc.assert(
      fc.property(graph, ({ heights, arrows }) => {
        const { boxes, backward } = layout(heights, arrows);
        const forward = arrows.filter((arrow) => arrow.from !== arrow.to && !backward.has(arrow));
        for (const { from, to } of forward) {
          const [a, b] = [boxes.get(from)!, boxes.get(to)!];
          expect(a.x + a.width, `${from} → ${to}`).toBeLessThan(b.x);
        }
        for (const arrow of backward) expect(reaches(arrow.to, arrow.from, forward)).toBe(true);
      }),
    );
  });

  test('the same graph gives the same picture, whatever order it comes in', () => {
    fc.assert(
      fc.property(graph, ({ heights, arrows }) => {
        const turned = new Map([...heights].reverse());
        const places = (layoutOf: ReturnType<typeof layout>) =>
          [...layoutOf.boxes.values()].map(({ x, y }) => `${x} ${y}`).sort();
        expect(places(layout(turned, arrows))).toEqual(places(layout(heights, arrows)));
      }),
    );
  });

  test('a chain of thousands is no trouble', () => {
    const heights = new Map(Array.from({ length: 5000 }, (_, i) => [`n${i}`, 40]));
    const arrows = Array.from({ length: 4999 }, (_, i) => ({ from: `n${i}`, to: `n${i + 1}` }));
    const { boxes } = layout(heights, arrows);
    expect(boxes.get('n4999')!.x).toBeGreaterThan(boxes.get('n0')!.x);
  });
});

function reaches(from: string, to: string, arrows: readonly Arrow[]): boolean {
  const met = new Set([from]);
  for (const name of met) for (const arrow of arrows) if (arrow.from === name) met.add(arrow.to);
  return met.has(to);
}
