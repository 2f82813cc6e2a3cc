import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mermaid } from '../../../src/core/graph/answers/mermaid.ts';
import { trace } from '../../../src/core/graph/answers/trace.ts';
import type { Edge, Graph } from '../../../src/core/graph/model.ts';

function graphOfEdges(edges: readonly Edge[]): Graph {
  const by = (end: 'from' | 'to') => {
    const groups = new Map<string, Edge[]>();
    for (const edge of edges) groups.set(edge[end], [...(groups.get(edge[end]) ?? []), edge]);
    return groups;
  };
  return { assets: new Map(), upstream: by('to'), downstream: by('from'), edges: edges.length, problems: [] };
}

const edge = (from: string, to: string, columns?: Edge['columns']): Edge => ({
  from,
  to,
  basis: 'x',
  ...(columns && { columns }),
});
const follow = (edges: readonly Edge[], more: Partial<Parameters<typeof trace>[1]> = {}) =>
  trace(graphOfEdges(edges), { start: 'a', direction: 'downstream', depth: 99, max_nodes: 999, ...more });

test('goes both ways, nearest first', () => {
  const edges = [edge('z', 'a'), edge('y', 'z'), edge('a', 'b')];
  expect(follow(edges, { direction: 'upstream' }).nodes).toEqual([
    { name: 'a', distance: 0 },
    { name: 'z', distance: 1 },
    { name: 'y', distance: 2 },
  ]);
  expect(follow(edges).nodes.map(({ name }) => name)).toEqual(['a', 'b']);
});

test('says when the data goes round in a circle', () => {
  const round = follow([edge('a', 'b'), edge('b', 'c'), edge('c', 'a')]);
  expect(round.cyclic).toBe(true);
  expect(round.nodes).toHaveLength(3);
  expect(round.edges).toHaveLength(3);
  // Two ways to one asset are no circle.
  expect(follow([edge('a', 'b'), edge('a', 'c'), edge('b', 'd'), edge('c', 'd')]).cyclic).toBe(false);
});

test('names what lies one step past the depth, and what max_nodes leaves out', () => {
  const edges = [edge('a', 'b'), edge('b', 'c'), edge('c', 'd'), edge('a', 'e')];
  expect(follow(edges, { depth: 1 })).toMatchObject({ beyondDepth: ['c'], beyondLimit: [] });
  expect(follow(edges, { max_nodes: 2 })).toMatchObject({ beyondLimit: ['c', 'e'] });
});

test('follows one column, and says which edges do not tell', () => {
  const edges = [
    edge('b', 'a', [
      { from: 'x', to: 'Total' },
      { from: 'y', to: 'other' },
    ]),
    edge('c', 'a', [{ from: 'z', to: 'other' }]),
    edge('d', 'a'),
    edge('e', 'b', [{ from: 'q', to: 'x' }]),
    edge('f', 'b', [{ from: 'r', to: 'y' }]),
  ];
  const found = follow(edges, { direction: 'upstream', column: 'total' });
  expect(found.nodes).toEqual([
    { name: 'a', distance: 0 },
    { name: 'b', distance: 1, columns: ['x'] },
    { name: 'e', distance: 2, columns: ['q'] },
  ]);
  expect(found.untraced.map(({ from }) => from)).toEqual(['d']);
  expect(found.edges[0]!.columns).toEqual([{ from: 'x', to: 'Total' }]);
});

test('a column that comes back to an asset by another way is followed for that way too', () => {
  const edges = [
    edge('b', 'a', [{ from: 'x', to: 't' }]),
    edge('c', 'a', [{ from: 'x', to: 't' }]),
    edge('b', 'c', [{ from: 'y', to: 'x' }]),
    edge('d', 'b', [{ from: 'dy', to: 'y' }]),
  ];
  const names = follow(edges, { direction: 'upstream', column: 't' }).nodes;
  expect(names.find(({ name }) => name === 'b')!.columns).toEqual(['x', 'y']);
  expect(names.map(({ name }) => name)).toContain('d');
});

describe('on any graph', () => {
  const nodes = fc.constantFrom(...'abcdefgh');
  const edges = fc.array(
    fc
      .tuple(nodes, nodes)
      .filter(([from, to]) => from !== to)
      .map(([from, to]) => edge(from, to)),
    { maxLength: 25 },
  );

  test('what is found and what is left out are together all that can be reached', () => {
    fc.assert(
      fc.property(edges, fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 8 }), (list, depth, max_nodes) => {
        const found = follow(list, { depth, max_nodes });
        const reachable = new Map([['a', 0]]);
        for (const name of reachable.keys()) {
          for (const { from, to } of list)
            if (from === name && !reachable.has(to)) reachable.set(to, reachable.get(name)! + 1);
        }
        for (const { name, distance } of found.nodes) expect(reachable.get(name)).toBe(distance);
        expect(found.nodes.length).toBeLessThanOrEqual(Math.max(1, max_nodes));
        expect(new Set(found.nodes.map(({ name }) => name)).size).toBe(found.nodes.length);
        const named = new Set([...found.nodes.map(({ name }) => name), ...found.beyondLimit, ...found.beyondDepth]);
        if (max_nodes >= 8) {
          const near = [...reachable].filter(([, distance]) => distance <= depth + 1).map(([name]) => name);
          expect([...named].sort()).toEqual(near.sort());
        }
        for (const { from, to } of found.edges) expect(named.has(from) && named.has(to)).toBe(true);
      }),
    );
  });

  test('upstream of one way is downstream of the other', () => {
    fc.assert(
      fc.property(edges, (list) => {
        const back = list.map(({ from, to }) => edge(to, from));
        const names = (way: 'upstream' | 'downstream', of: Edge[]) =>
          follow(of, { direction: way })
            .nodes.map(({ name }) => name)
            .sort();
        expect(names('upstream', list)).toEqual(names('downstream', back));
      }),
    );
  });
});

test('a Mermaid label never leaves its quotes', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('"', ']', '`', '#', ';', '<', '\n', '%', '{', 'a') }),
      (label, kind) => {
        const text = mermaid({ nodes: [{ id: 'n0', label, kind }], edges: [] });
        const lines = text.split('\n');
        expect(lines).toHaveLength(2);
        expect(lines[1]).toMatch(/^ {2}n0\["(?:[^"<>`]|<br\/>|<i>|<\/i>)*"\]$/);
      },
    ),
  );
});
