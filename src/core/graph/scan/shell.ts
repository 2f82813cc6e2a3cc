import type { EdgeDraft, Ref } from '../fragment.ts';
import { fileRef } from './file-ref.ts';

/** Files that a pipeline's command may read or write. */
const ASSET_FILE = /\.(?:sql|py|ipynb|csv|tsv|jsonl?|ndjson|parquet|sqlite3?|db|duckdb)$/i;
const DBT = /(?:^|[\s;&|(])dbt\s+(?:--\S+\s+)*(?:run|build|seed|test|snapshot|compile|source|docs)\b/;
const WORD = /"([^"\n]*)"|'([^'\n]*)'|(>>?|<)|([^\s"'<>|;&()]+)/g;
const LONGEST = 50_000;

/**
 * What the words of a shell command say about data: files of the workspace it names (written after `>`, `-o` and the
 * like, read otherwise) and dbt runs. `folder` is where it runs, from the workspace folder.
 */
export function shellEdges(command: string, file: string, self: Ref, line: number, folder?: string): EdgeDraft[] {
  const edges: EdgeDraft[] = [];
  const text = command.slice(0, LONGEST);
  if (DBT.test(text)) edges.push({ from: self, to: { kind: 'dbt_project' }, basis: 'runs_dbt', line, optional: true });
  let previous = '';
  for (const [, double, single, arrow, bare] of text.matchAll(WORD)) {
    const word = double ?? single ?? bare ?? arrow!;
    const path = word.replace(/^[^=]*=/, '').replace(/^\.\//, '');
    if (arrow === undefined && ASSET_FILE.test(path) && !/[$`{}]/.test(path)) {
      const ref = fileRef(path, folder === undefined ? file : `${folder}/x`);
      const writes = previous.startsWith('>') || /^(?:-o|--out(?:put)?(?:-file)?)$/.test(previous);
      if (ref?.kind === 'file') {
        edges.push({
          ...(writes ? { from: self, to: ref } : { from: ref, to: self }),
          basis: 'command',
          line,
          optional: true,
        });
      }
    }
    previous = word;
  }
  return edges;
}
