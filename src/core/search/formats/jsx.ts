const openTag = /^\s*<([A-Z][\w.]*)\b/;
const closeTag = /^\s*<\/[A-Z][\w.]*>\s*$/;
const fence = /^\s*(`{3,}|~{3,})/;

/**
 * Lines of MDX with what JSX elements enclose moved left to the element's own indentation, because Markdown would take
 * the indentation for code. Line numbers stay. Lower-case tags are HTML and stay as they are.
 */
export function dedentJsx(lines: readonly string[]): readonly string[] {
  if (!lines.some((line) => openTag.test(line))) return lines;
  const open: { indent: number; removed: number; inner: number | undefined }[] = [];
  let fenceMark = '';
  let unfinishedTag = false;
  return lines.map((line) => {
    const indent = line.length - line.trimStart().length;
    const parent = open.at(-1);
    if (parent && unfinishedTag) {
      if (line.trimEnd().endsWith('/>')) open.pop();
      unfinishedTag = !line.includes('>');
      return line;
    }
    if (parent && !fenceMark && closeTag.test(line)) {
      open.pop();
      return line.slice(Math.min(indent, open.at(-1)?.inner ?? 0));
    }
    if (parent && parent.inner === undefined && line.trim() !== '') {
      parent.inner = parent.removed + Math.max(0, indent - parent.indent);
    }
    const removed = Math.min(indent, parent?.inner ?? 0);
    const mark = fence.exec(line)?.[1];
    if (fenceMark) {
      if (mark?.startsWith(fenceMark) && line.trim() === mark) fenceMark = '';
    } else if (mark) fenceMark = mark;
    else {
      const name = openTag.exec(line)?.[1];
      if (name && !line.includes('/>') && !line.includes(`</${name}>`)) {
        open.push({ indent, removed: parent?.inner ?? 0, inner: undefined });
        unfinishedTag = !line.includes('>');
      }
    }
    return line.slice(removed);
  });
}
