const jsxOpen = /^\s*<([A-Z][\w.]*)/;
const anyOpen = /^\s*<([A-Za-z][\w.-]*)/;
const closeTag = /^\s*<\/[A-Za-z][\w.-]*>\s*$/;
const fence = /^\s*(`{3,}|~{3,})/;
/** What a line of nothing but a tag is parsed as: a block of one line, whatever stands around it. */
const standIn = '***';

/**
 * The lines of a document with JSX elements, made ready for a Markdown parser: what an element encloses moves left to
 * the element's own indentation, which Markdown would take for code, and a line that is only a tag becomes a thematic
 * break, because Markdown would read on from it as HTML. Line numbers stay. `html`: lower-case tags are JSX too (MDX).
 */
export function flattenJsx(lines: readonly string[], html: boolean): readonly string[] {
  const openTag = html ? anyOpen : jsxOpen;
  if (!lines.some((line) => openTag.test(line))) return lines;
  const open: { indent: number; removed: number; inner: number | undefined }[] = [];
  let fenceMark = '';
  let unfinished = false;
  return lines.map((line) => {
    const trimmed = line.trim();
    const indent = line.length - line.trimStart().length;
    const parent = open.at(-1);
    if (unfinished) {
      unfinished = !trimmed.includes('>');
      if (trimmed.endsWith('/>')) open.pop();
      return line;
    }
    if (parent && !fenceMark && closeTag.test(line)) {
      open.pop();
      return line.slice(0, Math.max(0, indent - parent.removed)) + standIn;
    }
    if (parent && parent.inner === undefined && trimmed) {
      parent.inner = parent.removed + Math.max(0, indent - parent.indent);
    }
    const removed = Math.min(indent, parent?.inner ?? 0);
    const mark = fence.exec(line)?.[1];
    if (fenceMark) {
      if (mark?.startsWith(fenceMark) && trimmed === mark) fenceMark = '';
    } else if (mark) {
      fenceMark = mark;
    } else {
      const name = openTag.exec(line)?.[1];
      if (name && !trimmed.includes('/>') && !trimmed.includes(`</${name}>`)) {
        open.push({ indent, removed, inner: undefined });
        unfinished = !trimmed.includes('>');
        if (trimmed.indexOf('>') === trimmed.length - 1) return line.slice(removed, indent) + standIn;
      }
    }
    return line.slice(removed);
  });
}
