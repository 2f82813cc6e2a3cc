/** Most alternatives that the braces of one glob may stand for. */
const MOST_ALTERNATIVES = 64;

type Part = '*' | ((character: string) => boolean);

/**
 * A test of names by a glob: `*`, `?`, `[a-z]` and `{a,b}`, letter case ignored. Time grows with the length of name times
 * glob, whatever the glob.
 */
export function nameGlob(glob: string): (name: string) => boolean {
  const globs = alternatives(glob.toLowerCase()).map(partsOf);
  return (name) => {
    const characters = [...name.toLowerCase()];
    return globs.some((parts) => matches(parts, characters));
  };
}

/** True when a pattern is meant as a glob rather than as part of a name. */
export function isGlob(pattern: string): boolean {
  return /[*?[\]{}]/.test(pattern);
}

function alternatives(glob: string): string[] {
  let open = [glob];
  for (;;) {
    const next = open.flatMap((one) => {
      const braces = /\{([^{}]*,[^{}]*)\}/.exec(one);
      if (!braces) return [one];
      const [before, after] = [one.slice(0, braces.index), one.slice(braces.index + braces[0].length)];
      return braces[1]!.split(',').map((choice) => before + choice + after);
    });
    if (next.length === open.length || next.length > MOST_ALTERNATIVES) return open;
    open = next;
  }
}

function partsOf(glob: string): Part[] {
  const parts: Part[] = [];
  const characters = [...glob];
  for (let i = 0; i < characters.length; i++) {
    const character = characters[i]!;
    const end = character === '[' ? characters.indexOf(']', i + 2) : -1;
    if (character === '*') parts.push('*');
    else if (character === '?') parts.push(() => true);
    else if (end > 0) {
      parts.push(setOf(characters.slice(i + 1, end)));
      i = end;
    } else parts.push((other) => other === character);
  }
  return parts;
}

function setOf(members: readonly string[]): (character: string) => boolean {
  const negated = members[0] === '!' || members[0] === '^';
  const [single, ranges] = [new Set<string>(), [] as [string, string][]];
  for (let i = negated ? 1 : 0; i < members.length; i++) {
    if (members[i + 1] === '-' && i + 2 < members.length) {
      ranges.push([members[i]!, members[i + 2]!]);
      i += 2;
    } else single.add(members[i]!);
  }
  return (character) =>
    negated !== (single.has(character) || ranges.some(([low, high]) => character >= low && character <= high));
}

/** Goes back to the last star alone when a character does not fit, so no choice is tried twice. */
function matches(parts: readonly Part[], name: readonly string[]): boolean {
  let [part, at, star, from] = [0, 0, -1, 0];
  while (at < name.length) {
    const wanted = parts[part];
    if (wanted === '*') {
      star = part++;
      from = at;
    } else if (wanted?.(name[at]!)) {
      part++;
      at++;
    } else if (star >= 0) {
      part = star + 1;
      at = ++from;
    } else return false;
  }
  while (parts[part] === '*') part++;
  return part === parts.length;
}
