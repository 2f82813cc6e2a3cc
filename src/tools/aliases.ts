/** Other spellings of parameters that are accepted everywhere, with the name each stands for. */
const parameterAliases: Readonly<Record<string, string>> = {
  chunk_id: 'path_part_id',
  path_part_id: 'chunk_id',
  parent_path_part_id: 'parent_path_part_ids',
};

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
