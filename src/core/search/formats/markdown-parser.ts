import createMarkdown, { type MarkdownIt, type StateBlock, type Token } from 'markdown-it';

/** Parses CommonMark with tables into block tokens with line numbers; the inline content stays as it is. */
export const markdownParser = createParser();

/** The same for MDX, which has no indented code. */
export const mdxParser = createParser();
mdxParser.block.ruler.disable('code');

function createParser(): MarkdownIt {
  const md = createMarkdown({ html: true, maxNesting: 40 });
  md.core.ruler.enableOnly(['normalize', 'block']);
  md.block.ruler.at('table', table, { alt: ['paragraph', 'reference'] });
  md.block.State = lean(md.block.State);
  return md;
}

/** Keeps only the tokens that say where a block starts and what it holds: a list of a million items must fit in memory. */
function lean(State: typeof StateBlock): typeof StateBlock {
  return class extends State {
    override push(type: string, tag: string, nesting: -1 | 0 | 1): Token {
      const token = super.push(type, tag, nesting);
      if (nesting < 0 || (type === 'paragraph_open' && token.level > 0)) this.tokens.pop();
      return token;
    }
  };
}

/** The `table` rule without a token for every cell: a table of a million rows must not cost gigabytes. */
function table(state: StateBlock, start: number, end: number, silent: boolean): boolean {
  const line = (number: number): string => state.getLines(number, number + 1, state.blkIndent, false).trim();
  const indented = (number: number): boolean => (state.sCount[number] ?? 0) - state.blkIndent >= 4;
  const outside = (number: number): boolean => (state.sCount[number] ?? 0) < state.blkIndent;
  if (start + 2 > end || outside(start + 1) || indented(start) || indented(start + 1)) return false;
  const delimiter = line(start + 1);
  if (!/^[|:-][-|: \t]*$/.test(delimiter) || !delimiter.includes('-')) return false;
  const cells = columns(delimiter);
  const header = line(start);
  if (!header.includes('|') || columns(header).length !== cells.length) return false;
  if (!cells.every((cell) => /^:?-+:?$/.test(cell.trim()))) return false;
  if (silent) return true;
  const terminators = state.md.block.ruler.getRules('blockquote');
  let next = start + 2;
  while (next < end && !outside(next) && !indented(next) && !state.isEmpty(next)) {
    const at = next;
    if (terminators.some((rule) => rule(state, at, end, true))) break;
    next++;
  }
  state.push('table_open', 'table', 0).map = [start, next];
  const content = state.push('inline', '', 0);
  content.content = state.getLines(start, next, state.blkIndent, false);
  content.children = [];
  state.line = next;
  return true;
}

function columns(row: string): string[] {
  return row
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
    .split(/(?<!\\)\|/);
}
