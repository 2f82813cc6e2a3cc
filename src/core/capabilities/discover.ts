import { jsonBytes, PAGE_BYTES } from '../util/page.ts';
import type { Group } from './catalog.ts';
import type { Findable, Match } from './find.ts';
import type { PromptEntry, SkillEntry } from './skill-port.ts';

export const SCOPES = ['all', 'skills', 'tools', 'blueprints', 'document_indexes', 'knowledge_bases'] as const;
export type SearchScopeName = (typeof SCOPES)[number];

export interface DocumentIndexEntry {
  readonly name: string;
  readonly description: string;
  /** Ids of the knowledge bases that it stands for. */
  readonly bases: readonly string[];
}

/** A passage of a knowledge base, as a search for context shows it. */
export interface KnowledgeHit {
  readonly index_name: string;
  readonly doc_path: string;
  readonly section?: string | undefined;
  readonly preview: string;
  readonly score: number;
}

/** Everything that a search for context looks through, besides the knowledge bases' own text. */
export interface Capabilities {
  readonly groups: readonly Group[];
  readonly skills: readonly SkillEntry[];
  readonly prompts: readonly PromptEntry[];
  readonly indexes: readonly DocumentIndexEntry[];
}

/** What a group or skill is to the thread that asks. */
export interface Standing {
  isActive(kind: 'tool_groups' | 'skills', name: string): boolean;
  isDefault(kind: 'tool_groups' | 'skills', name: string): boolean;
}

const TOOLS_SHOWN = 8;
const DESCRIPTION_BYTES = 240;

/** The items of a scope by key, `<bucket>/<name>`. */
export function findables(scope: SearchScopeName, { groups, skills, prompts, indexes }: Capabilities): Findable[] {
  const wants = (name: SearchScopeName) => scope === 'all' || scope === name;
  const items = <T extends { name: string }>(bucket: string, all: readonly T[], text: (one: T) => string): Findable[] =>
    all.map((one) => ({ key: `${bucket}/${one.name}`, name: one.name, text: text(one) }));
  return [
    ...(wants('tools')
      ? items('tool_groups', groups, ({ title, description, tools }) =>
          [title, description, ...tools.map((tool) => `${tool.name}: ${tool.description}`)].join('\n').slice(0, 8000),
        )
      : []),
    ...(wants('skills') ? items('skills', skills, ({ description, text }) => `${description}\n${text}`) : []),
    ...(wants('blueprints') ? items('blueprints', prompts, ({ description }) => description) : []),
    ...(wants('document_indexes') ? items('document_indexes', indexes, ({ description }) => description) : []),
  ];
}

/** One match as the result shows it, under its bucket's name. */
export function renderMatch(
  { key, score, matched_terms }: Match,
  { groups, skills, prompts, indexes }: Capabilities,
  standing: Standing,
): object {
  const slash = key.indexOf('/');
  const [bucket, name] = [key.slice(0, slash), key.slice(slash + 1)];
  const found = { ...(matched_terms.length > 0 ? { matched_terms } : { match: 'meaning' }), score };
  if (bucket === 'tool_groups') {
    const group = groups.find((one) => one.name === name)!;
    const shown = bestTools(group, matched_terms);
    return {
      name,
      description: short(group.description),
      owner: group.owner,
      activation: group.activation,
      active: group.activation === 'always' || standing.isActive('tool_groups', name),
      ...(standing.isDefault('tool_groups', name) && { default: true }),
      available: group.unavailable === undefined,
      ...(group.unavailable !== undefined && { unavailable_reason: group.unavailable }),
      tools: shown,
      ...(group.tools.length > shown.length && { more_tools: group.tools.length - shown.length }),
      ...found,
    };
  }
  if (bucket === 'skills') {
    const { description, source } = skills.find((one) => one.name === name)!;
    const active = standing.isActive('skills', name);
    return { name, description: short(description), source: short(source), active, ...found };
  }
  if (bucket === 'blueprints') {
    const { description, path } = prompts.find((one) => one.name === name)!;
    return { name, description: short(description), path, ...found };
  }
  const { description } = indexes.find((one) => one.name === name)!;
  return {
    name,
    description: short(description),
    search_action: { tool_name: 'search_document_index', arguments: { index_name: name } },
    list_action: { tool_name: 'list_document_indexes', arguments: {} },
    activate_action: {
      tool_name: 'manage_context',
      arguments: { action: 'ADD_CONTEXT', active_tool_groups: 'document_index_tools' },
    },
    ...found,
  };
}

/** Names of a group's tools, those that hold a matched word first. */
function bestTools({ tools }: Group, terms: readonly string[]): string[] {
  const hits = (text: string) => terms.filter((term) => text.toLowerCase().includes(term)).length;
  return tools
    .map(({ name, description }) => ({ name, hits: hits(`${name} ${description}`) }))
    .sort((a, b) => b.hits - a.hits)
    .slice(0, TOOLS_SHOWN)
    .map(({ name }) => name);
}

function short(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= DESCRIPTION_BYTES ? line : `${line.slice(0, DESCRIPTION_BYTES - 1).trimEnd()}…`;
}

interface Page {
  readonly offset: number;
  readonly limit: number;
}

/**
 * One page of both lists, which share their offsets: as many of each as `limit` and a result's bytes allow, at least one.
 * Following `next_offset` meets every item once.
 */
export function pageOfBoth(
  capabilities: readonly { bucket: string; item: object }[],
  hits: readonly KnowledgeHit[],
  { offset, limit }: Page,
): object {
  let end = offset;
  let bytes = 0;
  const longest = Math.max(capabilities.length, hits.length);
  while (end < longest && end - offset < limit) {
    bytes += jsonBytes([capabilities[end]?.item, hits[end]]);
    if (end > offset && bytes > PAGE_BYTES) break;
    end++;
  }
  const inBucket = (name: string) =>
    capabilities.slice(offset, end).flatMap(({ bucket, item }) => (bucket === name ? [item] : []));
  const more = end < longest;
  return {
    tool_groups: inBucket('tool_groups'),
    skills: inBucket('skills'),
    blueprints: inBucket('blueprints'),
    document_indexes: inBucket('document_indexes'),
    knowledge_bases: hits.slice(offset, end),
    capabilities_total: capabilities.length,
    capabilities_has_more: end < capabilities.length,
    knowledge_bases_has_more: end < hits.length,
    next_offset: more ? end : null,
  };
}
