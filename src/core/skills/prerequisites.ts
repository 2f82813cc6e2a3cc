import type { Skill } from './registry.ts';

export interface Prerequisites {
  /** Skills to activate besides those asked for, each after its own prerequisites. */
  readonly order: readonly string[];
  /** Names that no valid skill has. */
  readonly missing: readonly string[];
}

/** Everything that the given skills need, directly or not; cycles end where they began. */
export function prerequisitesOf(names: readonly string[], skills: ReadonlyMap<string, Skill>): Prerequisites {
  const asked = new Set(names);
  const order: string[] = [];
  const missing = new Set<string>();
  const met = new Set<string>();
  // Its own stack: a chain may be as long as there are skills. `left` marks the way back from a skill's prerequisites.
  const stack = names.toReversed().map((name) => ({ name, left: false }));
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { name, left } = next;
    const skill = skills.get(name);
    if (left) {
      if (!asked.has(name)) order.push(name);
    } else if (!met.has(name)) {
      met.add(name);
      if (skill) {
        stack.push({ name, left: true });
        for (const needed of skill.prerequisites.toReversed()) stack.push({ name: needed, left: false });
      } else if (!asked.has(name)) missing.add(name);
    }
  }
  return { order, missing: [...missing] };
}
