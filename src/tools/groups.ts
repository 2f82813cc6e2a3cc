import type { OwnGroup } from '../core/capabilities/catalog.ts';
import type { Tool } from './tool.ts';

/** Every tool group: its folder's name, when its tools may be called, and what a search for capabilities finds. */
export const groups = {
  context_tools: {
    title: 'Context and memory',
    description:
      'Discover and activate capabilities, read skills, search knowledge bases, product documentation, data assets, past SQL and other chats, and recover thread memory.',
    activation: 'always',
  },
  knowledge_tools: {
    title: 'Knowledge',
    description: "Search, browse and read the workspace's documents and further knowledge bases.",
    activation: 'default',
  },
  wiki_tools: {
    title: 'Team wiki',
    description:
      'What the team has learned about its data and code: conventions, caveats, decisions. Search, list and read pages; write and edit learnings where that is enabled.',
    activation: 'on_demand',
  },
  lineage_tools: {
    title: 'Lineage and asset details',
    description:
      'Where data comes from and what depends on it: upstream and downstream of tables, views, models, dashboards and files, full columns and definitions, impact of a change.',
    activation: 'on_demand',
  },
  data_connector_tools: {
    title: 'Connections and SQL',
    description:
      'List database connections and run read-only SQL queries on them, such as Postgres and SQLite, and on the CSV, JSON and Parquet files of the workspace.',
    activation: 'on_demand',
  },
  document_index_tools: {
    title: 'Document indexes',
    description: 'Create, rename, delete, list and search named document indexes of folders and files.',
    activation: 'on_demand',
  },
  system_manager_tools: {
    title: 'Threads',
    description:
      'Find past chats, conversations and chat history in stages, with filters on tools and results, and read a whole thread with its tool calls.',
    activation: 'on_demand',
  },
  agent_manager_tools: {
    title: 'Agent defaults and policy',
    description:
      'Set what an agent starts its threads with, and limit or permit which tool groups and skills it may use at all: allowlists, denylists, permissions.',
    activation: 'on_demand',
  },
  goal_tools: {
    title: 'Goals',
    description: 'Declare how a turn ends: done, waiting for a run or an agent, or blocked.',
    activation: 'on_demand',
  },
  local_tools: {
    title: 'This computer',
    description:
      'List, read, search, write and move files anywhere on this computer, and run shell commands in a sandbox: bash, terminal, git, gh, aws, az.',
    activation: 'on_demand',
    needs: 'trusted_workspace',
  },
  upgrade_advisor_tools: {
    title: 'Upgrade advisor',
    description: 'Release notes, inventory and report of the upgrade advisor.',
    activation: 'private',
  },
} as const satisfies Readonly<Record<string, Omit<OwnGroup, 'name' | 'tools'>>>;

export type GroupName = keyof typeof groups;

export interface RegisteredTool extends Tool {
  readonly group: GroupName;
}

/** The tools of one folder, with the group that the folder is. */
export function inGroup(group: GroupName, tools: readonly Tool[]): RegisteredTool[] {
  return tools.map((tool) => ({ ...tool, group }));
}
