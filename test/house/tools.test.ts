import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { jsonSchema } from '../../src/build/json-schema.ts';
import { tools } from '../../src/tools/index.ts';

const folder = join(import.meta.dirname, '../../src/tools');
const files = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .flatMap((group) => readdirSync(join(folder, group.name)));

test('every tool file is registered, under its own name', () => {
  const names = files.map((file) => file.replace(/\.ts$/, '').replaceAll('-', '_'));
  expect(tools.map((tool) => tool.name).sort()).toEqual(names.sort());
});

describe.each(tools.map((tool) => [tool.name, tool] as const))('%s', (_, tool) => {
  const schema = jsonSchema(tool.input) as {
    type: string;
    properties: Record<string, { description?: string; items?: object; type?: string }>;
    oneOf?: unknown;
    anyOf?: unknown;
    allOf?: unknown;
  };

  test('has a description that a model can choose by', () => {
    expect(tool.description.length).toBeLessThanOrEqual(1024);
    expect(tool.description).toMatch(/\bUse it (?:first |right after |for |on |to |when )|Get ids from/);
  });

  test('has a flat schema that the editor takes', () => {
    expect(schema.type).toBe('object');
    expect([schema.oneOf, schema.anyOf, schema.allOf]).toEqual([undefined, undefined, undefined]);
    for (const [name, property] of Object.entries(schema.properties)) {
      expect(property.description, `${name} is described`).toBeTruthy();
      if (property.type === 'array') expect(property.items, `${name} has items`).toBeTruthy();
    }
  });
});

/** From the specification's tables: parameter, default (absent when required), lower and upper bound. */
const specified = {
  find_past_queries: {
    topic: [],
    anchor_qns: [null],
    connection_id: [null],
    since: [null],
    until: [null],
    scope: ['self'],
    limit: [10, 1, 50],
    include_categories: [null],
  },
  list_contents: { path_part_id: [null], limit: [20, 1, 100], offset: [0] },
  find: { name: [], kind: [null], limit: [20, 1, 100], offset: [0] },
  get_info: { path_part_id: [] },
  read: { path_part_id: [], limit: [20, 1, 100], offset: [0] },
  read_around: { chunk_id: [], window: [1, 1, 10] },
  search_knowledge: { query: [], top_k: [5, 1, 20], parent_path_part_ids: [null] },
  search_keyword: { query: [], top_k: [5, 1, 20], parent_path_part_ids: [null] },
  view_chunk_image: { chunk_id: [] },
  search_data_context: {
    query: [],
    top_k: [15, 1, 100],
    offset: [0],
    source_system: [''],
    node_type: [''],
    connection_id: [''],
    min_score: [0],
    include_raw: [false],
  },
  search_threads: {
    query: [],
    limit: [20, 1, 50],
    include_summary: [false],
    include_hidden: [false],
    agent_ids: [null],
    response_format: ['formatted'],
  },
  manage_thread_memory: {
    action: ['GET_STATUS'],
    target_percentage: [50],
    compression_version: [null],
    detailed_breakdown: [false],
    recover_handle: [''],
    include_nested: [false],
    archive_ref: [''],
    archive_offset: [0],
    archive_max_chars: [4000],
    result_tool_call_id: [''],
    result_message_index: [null],
    result_offset: [0],
    result_max_chars: [null],
    recovery_id: [''],
    hidden_offset: [0],
    hidden_max_messages: [10],
    hidden_content_offset: [0],
    hidden_content_max_chars: [null],
    hidden_message_index: [null],
    hidden_node_id: [''],
    start_message_num: [null],
    end_message_num: [null],
    query: [''],
    search_scope: ['all'],
  },
  search_knowledge_bases: { query: [], knowledge_base_id: [null], top_k: [10, 1, 50] },
  read_knowledge_base_doc: {
    index_name: [],
    doc_path: [''],
    file_name: [''],
    file_id: [''],
    knowledge_base_id: [null],
    pagination_mode: ['lines'],
    start: [0],
    count: [null],
  },
  search_product_docs: { query: [], top_k: [10, 1, 50] },
  read_product_doc: { doc_path: [''], file_name: [''], pagination_mode: ['lines'], start: [0], count: [null] },
  wiki_search: { query: [], max_results: [20, 1, 200], offset: [0], wiki_id: ['default'] },
  wiki_list: { prefix: [''], wiki_id: ['default'] },
  wiki_read: { qualified_name: [], wiki_id: ['default'] },
  wiki_write: {
    qualified_name: [],
    content: [],
    commit_message: [''],
    supersedes_key: [null],
    category: ['final'],
    privacy_class: ['metadata'],
    wiki_id: ['default'],
  },
  wait: { seconds: [], reason: [null] },
  get_release_notes: { version: [null], start_line: [1] },
} as const;

describe.each(Object.entries(specified))('%s is as specified', (name, parameters) => {
  const schema = jsonSchema(tools.find((tool) => tool.name === name)!.input) as {
    required?: string[];
    properties: Record<string, { default?: unknown; minimum?: number; maximum?: number }>;
  };

  test.each(Object.entries(parameters as Record<string, readonly unknown[]>))('parameter %s', (parameter, rule) => {
    const property = schema.properties[parameter]!;
    expect(schema.required?.includes(parameter) ?? false).toBe(rule.length === 0);
    if (rule.length > 0) expect(property.default).toBe(rule[0]);
    if (rule.length > 1) expect([property.minimum, property.maximum]).toEqual(rule.slice(1));
  });
});
