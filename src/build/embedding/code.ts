import type { Documented } from './section.ts';

const LONGEST_CODE = 2_500;
const DOC_COMMENT = /\/\*\*([\s\S]{10,4000}?)\*\/\s*/g;
const LINE_COMMENTS = /(?:^[ \t]*\/\/[/!]?[ \t]?[^\n]*\n)+/gm;
const DECLARED =
  /(?:function\*?|class|interface|type|enum|const|let|var|func(?:\s*\([^)]*\))?|fn|struct|trait|def)\s+([A-Za-z_$][\w$]*)|([A-Za-z_$][\w$]*)\s*[(:=?]/;
const PYTHON =
  /^([ \t]*)(?:async )?(?:def|class) (\w+)[^\n]*(?:\n(?![ \t]*(?:async def|def|class|@))[^\n]*){0,12}?:[ \t]*(?:#[^\n]*)?\n\s*[rRuU]{0,2}("""|''')/gm;

/** Functions and classes of Python source that have a docstring. */
export function pythonDocumented(source: string): Documented[] {
  const found: Documented[] = [];
  for (const match of source.matchAll(PYTHON)) {
    const open = match.index + match[0].length;
    const close = source.indexOf(match[3]!, open);
    if (close < 0 || close - open > 6_000) continue;
    const signature = match[0].slice(0, -3).trimEnd();
    const body = indentedBlock(source, close + 3, match[1]!.length);
    found.push({
      name: match[2]!.replace(/^_+|_+$/g, ''),
      comment: source.slice(open, close),
      code: `${signature}\n${body}`,
    });
  }
  return found;
}

/** Declarations under a `/** … *\/` comment, as in JavaScript, TypeScript, Java, C and C++. */
export function blockCommented(source: string): Documented[] {
  const found: Documented[] = [];
  for (const match of source.matchAll(DOC_COMMENT)) {
    const comment = match[1]!
      .replace(/^[ \t]*\*[ \t]?/gm, '')
      .replace(/\{@\w+\s+([^}]*)\}|<\/?[a-zA-Z][^>]{0,100}>/g, '$1');
    found.push(declared(comment, source, match.index + match[0].length));
  }
  return found;
}

/** Declarations under a run of `//` lines, as in Go, Rust and C#. */
export function lineCommented(source: string): Documented[] {
  const found: Documented[] = [];
  for (const match of source.matchAll(LINE_COMMENTS)) {
    const after = match.index + match[0].length;
    if (
      !/^[ \t]*(?:pub |export |public |static )*(?:func|type|fn|struct|enum|trait|const|var|class)\b/.test(
        source.slice(after, after + 80),
      )
    )
      continue;
    found.push(declared(match[0].replace(/^[ \t]*\/\/[/!]?[ \t]?/gm, ''), source, after));
  }
  return found;
}

function declared(comment: string, source: string, at: number): Documented {
  const line = source.slice(at, at + 200).split('\n', 1)[0]!;
  const name = DECLARED.exec(line);
  const indent = /[^\n]*$/.exec(source.slice(Math.max(0, at - 80), at))![0].length;
  return { name: name?.[1] ?? name?.[2] ?? '', comment, code: bracedBlock(source, at, indent) };
}

/** From `at` to the end of the declaration: its closing brace by indentation, or its first line. */
function bracedBlock(source: string, at: number, indent: number): string {
  const rest = source.slice(at, at + LONGEST_CODE);
  const first = rest.split('\n', 1)[0]!;
  if (!/[{(]\s*$/.test(first)) return first;
  const end = rest.search(new RegExp(`\\n[ \\t]{0,${indent}}[})]`));
  return end < 0 ? rest : rest.slice(0, end);
}

function indentedBlock(source: string, at: number, indent: number): string {
  const lines: string[] = [];
  for (const line of source
    .slice(at, at + LONGEST_CODE)
    .split('\n')
    .slice(1)) {
    if (line.trim() !== '' && /^\s*/.exec(line)![0].length <= indent) break;
    lines.push(line);
  }
  return lines.join('\n');
}
