import { readFrontMatter } from '../../util/front-matter.ts';

/** What a document's front matter says of it. */
export interface FrontMatter {
  /** Offset after the closing line; 0 if there is no front matter. */
  readonly end: number;
  readonly title: string;
  readonly warnings: readonly string[];
}

/** Reads the front matter's title. YAML that does not parse is a warning. */
export function frontMatter(text: string): FrontMatter {
  const found = readFrontMatter(text);
  if (!found) return { end: 0, title: '', warnings: [] };
  const { data, problem, end } = found;
  const title = typeof data === 'object' && data && 'title' in data ? data.title : '';
  return {
    end,
    title: typeof title === 'string' || typeof title === 'number' ? String(title).trim() : '',
    warnings: problem === undefined ? [] : [`The front matter is not valid YAML: ${problem}`],
  };
}
