import * as z from 'zod';
import { UserError } from '../../core/errors.ts';
import { limit, offset } from '../fields.ts';
import { defineTool, type ToolContext } from '../tool.ts';

const column = z.object({
  name: z.string().min(1).describe('Name of the column.'),
  type: z.string().optional().describe('Its type.'),
  description: z.string().optional().describe('What it means.'),
});

const node = z.object({
  qualified_name: z.string().min(1).describe('Qualified name: <system>://<place>/<name>.'),
  node_type: z.string().optional().describe('Kind of asset, such as table, dashboard or job.'),
  name: z.string().optional().describe('Name shown; the last part of the qualified name by default.'),
  description: z.string().optional().describe('What it is, in prose.'),
  content: z.string().optional().describe('Text to find it by; without it only its name is found.'),
  columns: z.array(column).optional().describe('Its columns.'),
  upstream: z.array(z.string()).optional().describe('Qualified names that data comes from.'),
  downstream: z.array(z.string()).optional().describe('Qualified names that data goes to.'),
});

const input = z.object({
  action: z
    .enum([
      'GET_UPSTREAM',
      'GET_DOWNSTREAM',
      'SEARCH_NODES',
      'GET_NODE',
      'GET_INDEX_DOCUMENT',
      'ADD_NODE',
      'BULK_ADD_NODES',
      'REGISTER_SOURCE',
      'SCAN_SOURCE',
    ])
    .describe('What to do.'),
  qualified_name: z
    .string()
    .default('')
    .describe('The asset, such as dbt://shop/orders; `asset#column` for one column. All GET actions and ADD_NODE.'),
  column: z.string().default('').describe('GET_UPSTREAM, GET_DOWNSTREAM: follow only this column.'),
  depth: z.int().min(1).max(50).default(3).describe('GET_UPSTREAM, GET_DOWNSTREAM: steps to follow.'),
  max_nodes: z.int().min(1).max(500).default(50).describe('GET_UPSTREAM, GET_DOWNSTREAM: most assets to list.'),
  query: z.string().default('').describe('SEARCH_NODES: part of a name; empty lists all.'),
  source_system: z.string().default('').describe('SEARCH_NODES: only this system.'),
  node_type: z.string().default('').describe('SEARCH_NODES: only this kind. ADD_NODE: the kind of the new node.'),
  limit,
  offset,
  name: z.string().default('').describe('ADD_NODE: name shown.'),
  description: z.string().default('').describe('ADD_NODE: what the asset is.'),
  content: z.string().default('').describe('ADD_NODE: text to find the asset by.'),
  upstream: z.array(z.string()).default([]).describe('ADD_NODE: qualified names that data comes from.'),
  downstream: z.array(z.string()).default([]).describe('ADD_NODE: qualified names that data goes to.'),
  nodes: z.array(node).max(1000).default([]).describe('BULK_ADD_NODES: the nodes, up to 1,000.'),
  source_type: z.string().default('').describe('REGISTER_SOURCE: type of the connection, such as postgres.'),
  connection_id: z.string().default('').describe('REGISTER_SOURCE: the registered connection to read tables from.'),
  scan_now: z.boolean().default(false).describe('REGISTER_SOURCE: also read its tables at once.'),
  source_id: z
    .string()
    .default('workspace')
    .describe('SCAN_SOURCE: the source to read anew; "workspace" for the files.'),
});

type Input = z.output<typeof input>;

export default defineTool({
  name: 'lineage_action',
  title: 'Data lineage',
  description:
    'Lineage of data assets: where data comes from, what depends on it, what a change would break. Use it when asked how a table or column is filled, what feeds a dashboard, or before renaming or dropping something. GET_UPSTREAM and GET_DOWNSTREAM follow tables, views, dbt models, files, notebooks, pipelines and dashboards, with file and line for each edge; with column, column by column. What depth and max_nodes leave out is counted and named. The answer has a Mermaid diagram that you can show as it is. SEARCH_NODES finds assets by part of a name, GET_NODE shows one with its neighbours, GET_INDEX_DOCUMENT its whole indexed text and DDL in pages. ADD_NODE and BULK_ADD_NODES add assets and edges that no file tells of. REGISTER_SOURCE and SCAN_SOURCE read the tables of connections and the workspace anew, and list what could not be read.',
  input,
  effect: 'state',
  limitMs: 300_000,
  async run(values, { graph, signal }) {
    return { data: await act(values, graph, signal) };
  },
});

async function act(values: Input, graph: ToolContext['graph'], signal: AbortSignal): Promise<object> {
  const { action, offset: start } = values;
  switch (action) {
    case 'GET_UPSTREAM':
    case 'GET_DOWNSTREAM': {
      const { column: only, depth, max_nodes } = values;
      const direction = action === 'GET_UPSTREAM' ? 'upstream' : 'downstream';
      return graph.lineage({ qualified_name: nameIn(values), direction, depth, max_nodes, column: only }, signal);
    }
    case 'SEARCH_NODES': {
      const { query, source_system, node_type, limit: most } = values;
      return graph.find({ query, source_system, node_type, limit: most, offset: start }, signal);
    }
    case 'GET_NODE':
      return graph.node({ qualified_name: nameIn(values) }, signal);
    case 'GET_INDEX_DOCUMENT':
      return graph.indexDocument({ qualified_name: nameIn(values), offset: start }, signal);
    case 'ADD_NODE': {
      const { node_type, name, description, content, upstream, downstream } = values;
      const said = Object.entries({ node_type, name, description, content }).filter(([, text]) => text !== '');
      const added = { ...Object.fromEntries(said), qualified_name: nameIn(values), upstream, downstream };
      return graph.add({ action, nodes: [added] }, signal);
    }
    case 'BULK_ADD_NODES':
      return graph.add({ action, nodes: values.nodes }, signal);
    case 'REGISTER_SOURCE': {
      const { source_type, connection_id, scan_now } = values;
      return graph.register({ source_type, connection_id, scan_now }, signal);
    }
    case 'SCAN_SOURCE':
      return graph.scan({ source_id: values.source_id }, signal);
  }
}

function nameIn({ action, qualified_name }: Input): string {
  if (qualified_name.trim() !== '') return qualified_name;
  throw new UserError(
    'no_qualified_name',
    `${action} needs qualified_name.`,
    'Find it with search_data_context or SEARCH_NODES.',
  );
}
