/** A documented declaration. */
export interface DocComment {
  /** The declaration's first line, without its body. */
  readonly declaration: string;
  /** The comment's words, without its stars. */
  readonly text: string;
}

const LONGEST_DECLARATION = 300;
const LONGEST_COMMENT = 4000;
const NAME =
  /^(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:(?:static|readonly|public|protected|get|set)\s+)*(?:(?:function|class|interface|type|enum|const|let|var|namespace|module)\s+)?([\w$]+)/;

/** The doc comments (`/** … *\/`) of a TypeScript declaration file with what each stands before. Linear in the text. */
export function docComments(source: string): DocComment[] {
  const found: DocComment[] = [];
  for (let at = source.indexOf('/**'); at >= 0; at = source.indexOf('/**', at)) {
    const end = source.indexOf('*/', at + 3);
    if (end < 0) break;
    const text = wordsOf(source.slice(at + 3, end));
    at = end + 2;
    const declaration = declarationAt(source, at);
    if (text !== '' && declaration !== '' && !/@(?:internal|private)\b/.test(text)) found.push({ declaration, text });
  }
  return found;
}

/** The name that a declaration declares; empty if it shows none. */
export function nameOf(declaration: string): string {
  return NAME.exec(declaration)?.[1] ?? '';
}

function wordsOf(comment: string): string {
  const lines = comment.slice(0, LONGEST_COMMENT).split('\n');
  return lines
    .map((line) => line.replace(/^\s*\*? ?/, '').trimEnd())
    .join('\n')
    .trim();
}

/** What follows a comment up to its body, its end or the next comment, on one line; empty before another comment. */
function declarationAt(source: string, from: number): string {
  const rest = source.slice(from, from + LONGEST_DECLARATION).trimStart();
  if (rest.startsWith('/*') || rest.startsWith('//')) return '';
  const end = rest.search(/[{;]|\/\*|\/\//);
  return (end < 0 ? rest : rest.slice(0, end))
    .replaceAll(/\s+/g, ' ')
    .replace(/[=,]\s*$/, '')
    .trim();
}
