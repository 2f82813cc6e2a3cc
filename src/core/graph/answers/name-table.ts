import { indexText } from '../index/document.ts';
import type { Asset, Graph } from '../model.ts';

/** The names of a graph's assets, to be searched all at once. */
export interface NameTable {
  /** Assets whose name or qualified name has the text in it, in the graph's order; at most `most`. Lower case. */
  containing(text: string, most: number): Asset[];
  /** Assets that have no text to be indexed. */
  readonly unindexed: readonly Asset[];
}

const tables = new WeakMap<Graph, NameTable>();

/** The name table of a graph, made once. */
export function nameTable(graph: Graph): NameTable {
  const known = tables.get(graph);
  if (known) return known;
  const made = makeTable(graph);
  tables.set(graph, made);
  return made;
}

function makeTable(graph: Graph): NameTable {
  const assets = [...graph.assets.values()];
  const lines = assets.map(({ qualified_name, name }) =>
    `${qualified_name}\t${name}`.toLowerCase().replaceAll('\n', ' '),
  );
  const starts: number[] = [];
  let at = 0;
  for (const line of lines) {
    starts.push(at);
    at += line.length + 1;
  }
  const all = lines.join('\n');
  return {
    unindexed: assets.filter((asset) => indexText(asset) === undefined),
    containing(text, most) {
      const found: Asset[] = [];
      if (text === '' || /[\n\t]/.test(text)) return found;
      let place = 0;
      for (let hit = all.indexOf(text); hit >= 0 && found.length < most; ) {
        place = lineAt(starts, hit, place);
        found.push(assets[place]!);
        const next = starts[place + 1];
        hit = next === undefined ? -1 : all.indexOf(text, next);
      }
      return found;
    },
  };
}

/** Index of the last start at or before the offset, from `low` on. */
function lineAt(starts: readonly number[], offset: number, from: number): number {
  let low = from;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
