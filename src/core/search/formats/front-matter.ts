import { parse } from 'yaml';

/** What stands between the `---` lines at a document's start. */
export interface FrontMatter {
  /** Offset after the closing line; 0 if there is no front matter. */
  readonly end: number;
  readonly title: string;
  readonly warnings: readonly string[];
}

const maxLength = 64 * 1024;
const opening = /^---[ \t]*\n/;
const closing = /^(?:---|\.\.\.)[ \t]*$/m;

/** Reads the front matter's title. YAML that does not parse is a warning; nothing in it is ever executed. */
export function frontMatter(text: string): FrontMatter {
  const open = opening.exec(text)?.[0].length;
  if (open === undefined) return { end: 0, title: '', warnings: [] };
  const close = closing.exec(text.slice(open, open + maxLength));
  if (!close) return { end: 0, title: '', warnings: [] };
  const source = text.slice(open, open + close.index);
  const end = Math.min(open + close.index + close[0].length + 1, text.length);
  try {
    const data: unknown = parse(source, { logLevel: 'error', maxAliasCount: 10, schema: 'core' });
    const title = typeof data === 'object' && data && 'title' in data ? data.title : '';
    return {
      end,
      title: typeof title === 'string' || typeof title === 'number' ? String(title).trim() : '',
      warnings: [],
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
    return { end, title: '', warnings: [`The front matter is not valid YAML: ${reason}`] };
  }
}
