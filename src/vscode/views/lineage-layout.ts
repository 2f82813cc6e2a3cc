/** A box of the picture, in the drawing's own units. */
export interface Box {
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Arrow {
  readonly from: string;
  readonly to: string;
}

export interface Layout {
  readonly boxes: ReadonlyMap<string, Box>;
  readonly width: number;
  readonly height: number;
  /** Arrows that close a cycle: they alone run from right to left. */
  readonly backward: ReadonlySet<Arrow>;
}

const BOX_WIDTH = 210;
const COLUMN_GAP = 90;
const ROW_GAP = 16;
const SWEEPS = 4;

/**
 * Places boxes in columns so that arrows run from left to right, few of them crossing, and no two boxes overlap. The same
 * graph always gives the same picture. `heights` has each box by name.
 */
export function layout(heights: ReadonlyMap<string, number>, arrows: readonly Arrow[]): Layout {
  const names = [...heights.keys()].sort();
  const inside = arrows.filter(({ from, to }) => from !== to && heights.has(from) && heights.has(to));
  const { ranks, backward } = rank(names, inside);
  const columns: string[][] = [];
  for (const name of names) {
    const at = ranks.get(name)!;
    while (columns.length <= at) columns.push([]);
    columns[at]!.push(name);
  }
  untangle(
    columns,
    inside.filter((arrow) => !backward.has(arrow)),
  );
  const heightOf = (column: readonly string[]) =>
    column.reduce((sum, name) => sum + heights.get(name)! + ROW_GAP, -ROW_GAP);
  const height = Math.max(0, ...columns.map(heightOf));
  const boxes = new Map<string, Box>();
  for (const [i, column] of columns.entries()) {
    let y = (height - heightOf(column)) / 2;
    for (const name of column) {
      const own = heights.get(name)!;
      boxes.set(name, { name, x: i * (BOX_WIDTH + COLUMN_GAP), y, width: BOX_WIDTH, height: own });
      y += own + ROW_GAP;
    }
  }
  return { boxes, width: columns.length * (BOX_WIDTH + COLUMN_GAP) - COLUMN_GAP, height, backward };
}

/** The column of each box: one right of its rightmost source. Arrows that close a cycle do not count. */
function rank(names: readonly string[], arrows: readonly Arrow[]) {
  const outgoing = Map.groupBy(arrows, ({ from }) => from);
  const backward = new Set<Arrow>();
  const done: string[] = [];
  const state = new Map<string, 'open' | 'done'>();
  for (const start of names) {
    // Depth first with an own stack: a chain of thousands must not overflow the call stack.
    const stack = state.has(start) ? [] : [{ name: start, next: 0 }];
    if (stack.length > 0) state.set(start, 'open');
    while (stack.length > 0) {
      const top = stack.at(-1)!;
      const arrow = outgoing.get(top.name)?.[top.next++];
      if (arrow === undefined) {
        state.set(top.name, 'done');
        done.push(top.name);
        stack.pop();
      } else if (state.get(arrow.to) === 'open') backward.add(arrow);
      else if (!state.has(arrow.to)) {
        state.set(arrow.to, 'open');
        stack.push({ name: arrow.to, next: 0 });
      }
    }
  }
  const ranks = new Map(names.map((name) => [name, 0]));
  for (const name of done.reverse()) {
    for (const arrow of outgoing.get(name) ?? []) {
      if (!backward.has(arrow)) ranks.set(arrow.to, Math.max(ranks.get(arrow.to)!, ranks.get(name)! + 1));
    }
  }
  return { ranks, backward };
}

/** Orders each column by where its neighbours stand, to and fro: fewer arrows cross. */
function untangle(columns: string[][], arrows: readonly Arrow[]): void {
  const sources = Map.groupBy(arrows, ({ to }) => to);
  const targets = Map.groupBy(arrows, ({ from }) => from);
  const place = new Map<string, number>();
  const note = (column: readonly string[]) => {
    for (const [i, name] of column.entries()) place.set(name, (i + 0.5) / column.length);
  };
  for (const column of columns) note(column);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const forward = sweep % 2 === 0;
    for (const column of forward ? columns : columns.toReversed()) {
      const mean = new Map(
        column.map((name) => {
          const near = forward
            ? (sources.get(name) ?? []).map(({ from }) => place.get(from)!)
            : (targets.get(name) ?? []).map(({ to }) => place.get(to)!);
          const sum = near.reduce((total, each) => total + each, 0);
          return [name, near.length === 0 ? place.get(name)! : sum / near.length];
        }),
      );
      column.sort((a, b) => mean.get(a)! - mean.get(b)! || (a < b ? -1 : 1));
      note(column);
    }
  }
}
