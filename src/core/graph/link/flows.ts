import type { ColumnDraft, FlowDraft } from '../fragment.ts';
import type { ColumnPair } from '../model.ts';
import type { From, WorkingAsset } from './draft.ts';

/** A flow whose ends are known. */
export interface LinkedFlow {
  readonly draft: From<FlowDraft>;
  readonly to: string;
  /** The asset that each read names; undefined for one that is left out. */
  readonly reads: readonly (string | undefined)[];
}

/** Column pairs of a flow, by the asset they come from. */
export type PairsByRead = ReadonlyMap<string, readonly ColumnPair[]>;

/**
 * Follows flows from upstream down, so that `*` and names without a table can be told by the columns of what is read.
 * Sets the columns of the assets that flows fill, and gives the column pairs of each flow. Cycles are cut where met.
 */
export function followFlows(
  flows: readonly LinkedFlow[],
  assets: ReadonlyMap<string, WorkingAsset>,
): Map<LinkedFlow, PairsByRead> {
  const into = new Map<string, LinkedFlow[]>();
  for (const flow of flows) {
    const known = into.get(flow.to);
    if (known) known.push(flow);
    else into.set(flow.to, [flow]);
  }
  const done = new Map<LinkedFlow, PairsByRead>();
  const started = new Set<string>();
  // An explicit stack: a chain of models may be longer than the call stack is deep.
  for (const root of into.keys()) {
    const stack = [{ name: root, entered: false }];
    for (let top = stack.pop(); top; top = stack.pop()) {
      const { name, entered } = top;
      if (entered) {
        for (const flow of into.get(name) ?? []) done.set(flow, follow(flow, assets));
        continue;
      }
      if (started.has(name)) continue;
      started.add(name);
      stack.push({ name, entered: true });
      for (const flow of into.get(name) ?? []) {
        for (const read of flow.reads)
          if (read !== undefined && into.has(read)) stack.push({ name: read, entered: false });
      }
    }
  }
  return done;
}

/** The columns an asset is known to have by now. */
export function columnsNow(asset: WorkingAsset | undefined): readonly ColumnDraft[] {
  return asset?.resolved ?? asset?.columns ?? [];
}

function follow({ draft, to, reads }: LinkedFlow, assets: ReadonlyMap<string, WorkingAsset>): PairsByRead {
  const target = assets.get(to);
  const pairs = new Map<string, ColumnPair[]>();
  const outputs: ColumnDraft[] = [];
  const spelled = (read: string, column: string): string | undefined => {
    const columns = columnsNow(assets.get(read));
    if (columns.length === 0) return column;
    return columns.find(({ name }) => name.toLowerCase() === column.toLowerCase())?.name;
  };
  const pair = (read: string, from: string, name: string) => {
    const known = pairs.get(read) ?? [];
    if (!known.some((other) => other.from === from && other.to === name)) known.push({ from, to: name });
    pairs.set(read, known);
  };
  const add = (name: string, like?: ColumnDraft) => {
    if (outputs.some((column) => column.name.toLowerCase() === name.toLowerCase())) return;
    outputs.push({
      name,
      ...(like?.type && { type: like.type }),
      ...(like?.description && { description: like.description }),
    });
  };
  for (const { name, sources, unresolved = [] } of draft.outputs) {
    if (name === '*') {
      for (const { read } of sources) {
        const from = reads[read];
        for (const column of from === undefined ? [] : columnsNow(assets.get(from))) {
          add(column.name, column);
          pair(from!, column.name, column.name);
        }
      }
      continue;
    }
    const found = sources.flatMap(({ read, column }) => {
      const from = reads[read];
      const known = from === undefined ? undefined : spelled(from, column);
      return known === undefined ? [] : [{ from: from!, column: known }];
    });
    for (const column of unresolved) {
      const owners = [...new Set(reads)].filter(
        (read) => read !== undefined && has(assets.get(read), column),
      ) as string[];
      if (owners.length === 1) found.push({ from: owners[0]!, column: spelled(owners[0]!, column)! });
    }
    const same = found.length === 1 && found[0]!.column.toLowerCase() === name.toLowerCase();
    const only = same && !isNamed(target, name) ? found[0]! : undefined;
    // A column taken over without a word is what it was there.
    add(name, only && columnsNow(assets.get(only.from)).find((column) => column.name === only.column));
    for (const { from, column } of found) pair(from, column, name);
  }
  if (target && outputs.length > 0 && target.node_type !== 'table')
    target.resolved = merged(outputs, columnsNow(target));
  return pairs;
}

/** True when the query gives a column its name, `… as total`: it may be of another type than the column it comes from. */
function isNamed(target: WorkingAsset | undefined, name: string): boolean {
  const definition = target?.definition?.toLowerCase() ?? '';
  const column = name.toLowerCase();
  for (let at = definition.indexOf(column); at >= 0; at = definition.indexOf(column, at + 1)) {
    if (/\bas\s+["'`[]?$/.test(definition.slice(Math.max(0, at - 12), at))) return true;
  }
  return false;
}

function has(asset: WorkingAsset | undefined, column: string): boolean {
  return columnsNow(asset).some(({ name }) => name.toLowerCase() === column.toLowerCase());
}

/** The query's columns in its order, with what is said of them elsewhere, then any that only is said. */
function merged(outputs: readonly ColumnDraft[], said: readonly ColumnDraft[]): ColumnDraft[] {
  const rest = new Map(said.map((column) => [column.name.toLowerCase(), column]));
  const columns = outputs.map((output) => {
    const key = output.name.toLowerCase();
    const own = rest.get(key);
    rest.delete(key);
    return { ...output, ...own, name: output.name };
  });
  return [...columns, ...rest.values()];
}
