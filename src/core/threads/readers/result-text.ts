import { list, name, object, string } from '../values.ts';

/**
 * Text of a tool's result as VS Code stores it: text parts word by word and joined without anything between, as the
 * model's prompt joins them. Pictures and other data are named, not shown.
 */
export function resultText(result: unknown): string {
  const content = object(result).content;
  if (typeof content === 'string') return content;
  return list(content).map(partText).join('');
}

function partText(part: unknown): string {
  if (typeof part === 'string') return part;
  const { value, mimeType, data } = object(part);
  if (typeof value === 'string') return value;
  if (value !== undefined) return promptText(object(value).node ?? value);
  const mime = name(mimeType);
  return mime === undefined ? '' : `[${mime}${typeof data === 'string' ? `, ${data.length} characters` : ''}]`;
}

/** The text leaves of a prompt tree (`{type: 1, children}` and `{type: 2, text, lineBreakBefore}`), in order. */
function promptText(root: unknown): string {
  let text = '';
  const open: unknown[] = [root];
  // Not by recursion: a file decides how deep the tree is.
  while (open.length > 0) {
    const node = object(open.pop());
    if (node.lineBreakBefore === true && text !== '' && !text.endsWith('\n')) text += '\n';
    text += string(node.text) ?? '';
    const children = list(node.children);
    for (let i = children.length - 1; i >= 0; i--) open.push(children[i]);
  }
  return text;
}

/** Text of a result as the chat panel shows it: the `resultDetails` of a tool invocation. */
export function shownResult(details: unknown): string | undefined {
  const { output } = object(details);
  if (typeof output === 'string') return output;
  const parts = list(output).flatMap((part) => string(object(part).value) ?? []);
  return parts.length > 0 ? parts.join('') : undefined;
}
