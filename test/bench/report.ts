import type { Measured } from './measure.ts';
import { mean } from './metrics.ts';

/** The results as Markdown: one table of quality, one of speed for each size. */
export function report(results: readonly Measured[], collections: readonly string[], machine: string): string {
  const sizes = [...new Set(results.map(({ collection }) => collection))].filter((name) => !collections.includes(name));
  return [
    `# Search bench\n\n${machine}\n`,
    `## Quality: nDCG@10\n\n${qualityTable(results, collections)}\n`,
    ...sizes.map(
      (size) => `## Speed: ${size}\n\n${speedTable(results.filter(({ collection }) => collection === size))}\n`,
    ),
    ...collections.map(
      (name) => `## ${name}\n\n${detailTable(results.filter(({ collection }) => collection === name))}\n`,
    ),
  ].join('\n');
}

function qualityTable(results: readonly Measured[], collections: readonly string[]): string {
  const rows = enginesOf(results).flatMap((engine) => {
    const own = collections.map((name) => results.find((one) => one.engine === engine && one.collection === name));
    if (own.includes(undefined)) return [];
    const average = (key: 'ndcg10' | 'r100' | 'mrr10') => fixed(mean(own.map((one) => one![key])));
    return [[engine, ...own.map((one) => fixed(one!.ndcg10)), average('ndcg10'), average('r100'), average('mrr10')]];
  });
  return table(['engine', ...collections, 'mean nDCG@10', 'mean Recall@100', 'mean MRR@10'], rows);
}

function speedTable(results: readonly Measured[]): string {
  return table(
    ['engine', 'index s', 'p50 ms', 'p95 ms', 'load to first answer ms', 'disk MB', 'memory MB'],
    results.map((one) => [
      one.engine,
      (one.index_ms / 1000).toFixed(1),
      one.p50_ms.toFixed(1),
      one.p95_ms.toFixed(1),
      one.load_ms.toFixed(0),
      one.disk_mb.toFixed(1),
      one.memory_mb.toFixed(0),
    ]),
  );
}

function detailTable(results: readonly Measured[]): string {
  return table(
    ['engine', 'nDCG@10', 'Recall@100', 'MRR@10', 'index ms', 'p50 ms', 'p95 ms', 'load ms', 'disk MB', 'memory MB'],
    results.map((one) => [
      one.engine,
      fixed(one.ndcg10),
      fixed(one.r100),
      fixed(one.mrr10),
      one.index_ms.toFixed(0),
      one.p50_ms.toFixed(2),
      one.p95_ms.toFixed(2),
      one.load_ms.toFixed(0),
      one.disk_mb.toFixed(1),
      one.memory_mb.toFixed(0),
    ]),
  );
}

function enginesOf(results: readonly Measured[]): string[] {
  return [...new Set(results.map(({ engine }) => engine))];
}

function fixed(value: number): string {
  return value.toFixed(3).replace(/^0/, '');
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
