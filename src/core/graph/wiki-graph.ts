import { brief } from '../util/page.ts';
import { childrenOf } from './answers/tree.ts';
import { columnLine } from './index/document.ts';
import type { Asset } from './model.ts';
import type { GraphKeeper } from './scanner.ts';

const NO_FILTER = { source_system: '', node_type: '', connection_id: '' };
const MOST_COLUMNS = 200;

/** The graph as the team wiki's pages show it. Names are matched exactly. */
export function wikiGraph(ready: () => Promise<GraphKeeper>) {
  const entryOf = ({ qualified_name, name, node_type, description }: Asset) => ({
    qualified_name,
    name,
    node_type,
    ...(description && { summary: brief(description, 200) }),
  });
  return {
    async node(name: string) {
      const { graph } = await ready();
      const asset = graph.assets.get(name);
      if (!asset) return undefined;
      const { qualified_name, node_type, source_system } = asset;
      return { qualified_name, name: asset.name, node_type, source_system, content: markdownOf(asset) };
    },
    async children(prefix: string) {
      const { graph } = await ready();
      return childrenOf(graph, prefix)
        .filter(({ kind }) => kind !== 'column')
        .map((entry) => {
          const asset = graph.assets.get(entry.qualified_name);
          return asset
            ? entryOf(asset)
            : { qualified_name: entry.qualified_name, name: entry.label, node_type: entry.kind };
        });
    },
    async search(query: string, limit: number, signal?: AbortSignal) {
      const { graph, index } = await ready();
      const { hits } = await index.search(query, NO_FILTER, limit, signal);
      return hits.flatMap(({ name, score }) => {
        const asset = graph.assets.get(name);
        return asset ? [{ ...entryOf(asset), score }] : [];
      });
    },
  };
}

function markdownOf({ description, place, columns = [], definition, facts = {} }: Asset): string {
  const parts = [
    description,
    place && `Defined in ${place.file}${place.line === undefined ? '' : `:${place.line}`}.`,
    Object.entries(facts)
      .map(([key, value]) => `- ${key}: ${value}`)
      .join('\n'),
    columns.length > 0 &&
      `## Columns\n\n${columns
        .slice(0, MOST_COLUMNS)
        .map((column) => `- ${columnLine(column)}`)
        .join('\n')}${columns.length > MOST_COLUMNS ? `\n- … ${columns.length - MOST_COLUMNS} more` : ''}`,
    definition && `## Definition\n\n${fenced(definition)}`,
  ];
  return parts.filter(Boolean).join('\n\n');
}

/** A code block whose fence is longer than any in the text. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}sql\n${text}\n${fence}`;
}
