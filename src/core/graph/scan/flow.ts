import type { FlowDraft, Ref } from '../fragment.ts';
import type { SqlStatement, TableName } from '../sql.ts';
import { given } from './text.ts';

/** What a statement reads and how its columns come about, as a flow into `to`. */
export function flowOf(
  { reads, lineage = [], line }: Pick<SqlStatement, 'reads' | 'lineage' | 'line'>,
  to: Ref,
  basis: string,
  refOf: (table: TableName) => Ref = ({ parts }) => ({ kind: 'table', parts }),
): FlowDraft {
  const places = new Map(reads.map((table, i) => [key(table), i]));
  return {
    to,
    line,
    reads: reads.map((table) => ({ ref: refOf(table), basis, line })),
    outputs: lineage.map(({ column, sources, unresolved }) => ({
      name: column,
      sources: sources.flatMap((source) => {
        const read = places.get(key(source.table));
        return read === undefined ? [] : [{ read, column: source.column }];
      }),
      ...given('unresolved', unresolved),
    })),
  };
}

function key({ parts }: TableName): string {
  return parts.join('\0').toLowerCase();
}
