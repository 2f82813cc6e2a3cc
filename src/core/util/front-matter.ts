import { parseYaml } from './yaml.ts';

/** What stands between the `---` lines at a text's start, and what follows. */
export interface FrontMatter {
  /** The values; undefined when the YAML does not parse. */
  readonly data: unknown;
  /** Why the YAML does not parse. */
  readonly problem?: string;
  /** Offset after the closing line. */
  readonly end: number;
}

const LONGEST = 64 * 1024;
const OPENING = /^\uFEFF?---[ \t]*\r?\n/;
const CLOSING = /^(?:---|\.\.\.)[ \t]*\r?$/m;

/** Reads YAML front matter of at most 64 KB; undefined for a text that has none. Nothing in it is ever executed. */
export function readFrontMatter(text: string): FrontMatter | undefined {
  const open = OPENING.exec(text)?.[0].length;
  if (open === undefined) return undefined;
  const close = CLOSING.exec(text.slice(open, open + LONGEST));
  if (!close) return undefined;
  const end = Math.min(open + close.index + close[0].length + 1, text.length);
  try {
    return { data: parseYaml(text.slice(open, open + close.index)), end };
  } catch (error) {
    return { data: undefined, problem: (error as Error).message.split('\n')[0]!, end };
  }
}
