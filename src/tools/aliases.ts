/** Other spellings of parameters that are accepted everywhere, with the name each stands for. */
const parameterAliases: Readonly<Record<string, string>> = {
  bot: 'agent',
  bot_id: 'agent_id',
  bot_ids: 'agent_ids',
  thread_bot_id: 'thread_agent_id',
  message_offset: 'hidden_content_offset',
  key: 'statement_id',
  chunk_id: 'path_part_id',
  path_part_id: 'chunk_id',
  parent_path_part_id: 'parent_path_part_ids',
};

/** Names of the specification's world, accepted as well. */
const toolAliases: Readonly<Record<string, string>> = {
  manage_context_state: 'manage_context',
  search_genesis_docs: 'search_product_docs',
  read_genesis_doc: 'read_product_doc',
  set_bot_context_defaults: 'set_agent_context_defaults',
  set_bot_capability_policy: 'set_agent_capability_policy',
};

/** The name a tool is registered under, for any name it may be called by. */
export function toolName(name: string): string {
  const bare = name.startsWith('loci_') ? name.slice('loci_'.length) : name;
  return Object.hasOwn(toolAliases, bare) ? toolAliases[bare]! : bare;
}

/** The input with aliases put in place where the tool has the real name and the caller did not use it. */
export function resolveAliases(input: Record<string, unknown>, known: ReadonlySet<string>): Record<string, unknown> {
  const resolved: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(input)) {
    const real = parameterAliases[name];
    const renamed = !known.has(name) && real !== undefined && known.has(real) && !Object.hasOwn(input, real);
    resolved[renamed ? real : name] = value;
  }
  return resolved;
}
