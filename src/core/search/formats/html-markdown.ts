import { attribute, type HtmlNode, type HtmlParent, textOf } from './html-tree.ts';

const blockNames = new Set(
  (
    'address article blockquote body center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header ' +
    'hgroup hr li main ol p pre section summary table tbody td tfoot th thead tr ul'
  ).split(' '),
);
const marks: Readonly<Record<string, string>> = { b: '**', strong: '**', em: '*', i: '*', del: '~~', s: '~~' };
/** What would make a paragraph something else at the start of a line of Markdown. */
const lineStart = /^(?=#{1,6}(?:\s|$)|[-+*]\s|>|```|~~~|<|[=-]{2,}\s*$|\|)/gm;

/** The content of a node as Markdown, in time linear in its size. Only what would change the block structure is escaped. */
export function toMarkdown(root: HtmlParent): string {
  return blocks(root.childNodes, holders(root)).join('\n\n');
}

/** Elements that have a block somewhere below: an inline element among them, such as a linked card, is seen through. */
function holders(root: HtmlParent): Set<HtmlParent> {
  const found = new Set<HtmlParent>([root]);
  const stack: HtmlParent[] = [root];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (blockNames.has(node.nodeName)) {
      for (let up: HtmlParent | null = node; up && !found.has(up); up = 'parentNode' in up ? up.parentNode : null) {
        found.add(up);
      }
    }
    for (const child of node.childNodes) if ('childNodes' in child) stack.push(child);
  }
  return found;
}

function blocks(nodes: readonly HtmlNode[], holding: Set<HtmlParent>): string[] {
  const done: string[] = [];
  let run: HtmlNode[] = [];
  const flush = (): void => {
    const text = inline(run).trim();
    if (text) done.push(text.replace(lineStart, '\\'));
    run = [];
  };
  for (const node of nodes) {
    if (!('childNodes' in node) || !holding.has(node)) {
      run.push(node);
      continue;
    }
    flush();
    for (const text of block(node, holding)) done.push(text);
  }
  flush();
  return done;
}

function block(node: HtmlParent, holding: Set<HtmlParent>): string[] {
  const name = node.nodeName;
  if (/^h[1-6]$/.test(name)) {
    const text = inline(node.childNodes).replace(/\s+/g, ' ').trim();
    return text ? [`${'#'.repeat(Number(name[1]))} ${text}`] : [];
  }
  if (name === 'hr') return ['---'];
  if (name === 'pre') return [fence(textOf(node).replace(/^\n/, '').trimEnd(), language(node))];
  if (name === 'ul' || name === 'ol') return list(node, holding);
  if (name === 'table') return table(node, holding);
  const inner = blocks(node.childNodes, holding);
  return name === 'blockquote' ? [indent(inner.join('\n\n'), '> ', '> ')] : inner;
}

function list(node: HtmlParent, holding: Set<HtmlParent>): string[] {
  const items: string[] = [];
  let number = Number(attribute(node, 'start') ?? 1) || 1;
  for (const child of node.childNodes) {
    if (!('childNodes' in child)) continue;
    const marker = node.nodeName === 'ol' ? `${number++}. ` : '- ';
    const content = blocks(child.childNodes, holding);
    const tight = content.every((text, index) => index === 0 || /^(?:- |\d+\. )/.test(text));
    if (content.length > 0) items.push(indent(content.join(tight ? '\n' : '\n\n'), marker, ' '.repeat(marker.length)));
  }
  return items.length > 0 ? [items.join('\n')] : [];
}

function indent(text: string, first: string, rest: string): string {
  return first + text.replaceAll('\n', `\n${rest}`).replace(/\n[ \t]+(?=\n)/g, '\n');
}

/** A table of data as a pipe table, its first row the head; one that only lays a page out as what is in its cells. */
function table(node: HtmlParent, holding: Set<HtmlParent>): string[] {
  const rows: string[][] = [];
  const captions: string[] = [];
  const stack: HtmlNode[] = node.childNodes.toReversed();
  for (let next = stack.pop(); next; next = stack.pop()) {
    if (!('childNodes' in next)) continue;
    if (next.nodeName === 'caption') captions.push(inline(next.childNodes).trim());
    else if (next.nodeName === 'td' || next.nodeName === 'th') {
      if (laysOut(next)) return layout(node, holding);
      rows.at(-1)?.push(cell(next));
    } else {
      if (next.nodeName === 'tr') rows.push([]);
      for (let i = next.childNodes.length - 1; i >= 0; i--) stack.push(next.childNodes[i]!);
    }
  }
  const [head = [], ...body] = rows.filter((row) => row.length > 0);
  if (head.length === 0) return captions;
  const lines = [head, head.map(() => '---'), ...body].map((row) => `| ${row.join(' | ')} |`);
  return [...captions, lines.join('\n')].filter(Boolean);
}

function laysOut(td: HtmlParent): boolean {
  return td.childNodes.some(
    (child) => 'childNodes' in child && (/^(?:table|pre|h[1-6])$/.test(child.nodeName) || laysOut(child)),
  );
}

function layout(node: HtmlParent, holding: Set<HtmlParent>): string[] {
  return node.childNodes.flatMap((child) => ('childNodes' in child ? blocks([child], holding) : []));
}

function cell(td: HtmlParent): string {
  return inline(td.childNodes).replace(/\s+/g, ' ').trim().replaceAll('|', '\\|');
}

function language(pre: HtmlParent): string {
  const own = [pre, ...pre.childNodes, ...('parentNode' in pre && pre.parentNode ? [pre.parentNode] : [])];
  const classes = own.map((node) => attribute(node, 'class') ?? '').join(' ');
  return /\b(?:language|lang|highlight|highlight-source|brush)[-:]\s?([\w+#-]+)/.exec(classes)?.[1] ?? '';
}

/** A fenced code block whose fence is longer than any run of backticks in the code. */
export function fence(code: string, language: string): string {
  let longest = 2;
  for (const [run] of code.matchAll(/`{3,}/g)) longest = Math.max(longest, run.length);
  const mark = '`'.repeat(longest + 1);
  return `${mark}${language}\n${code}\n${mark}`;
}

function inline(nodes: readonly HtmlNode[]): string {
  const parts = nodes.map((node) => {
    if (node.nodeName === '#text' && 'value' in node)
      return node.value
        .replaceAll('\u00ad', '')
        .replace(/\s+/g, ' ')
        .replace(/<(?=ima?ge?\b)/gi, '\\<');
    return 'childNodes' in node ? inlineElement(node) : '';
  });
  return parts
    .join('')
    .replace(/ {2,}/g, ' ')
    .replace(/ ?\n ?/g, '\n');
}

function inlineElement(node: HtmlParent & HtmlNode): string {
  const name = node.nodeName;
  if (name === 'br') return '\n';
  if (name === 'img') return picture(node);
  if (name === 'code' || name === 'tt' || name === 'kbd') return codeSpan(textOf(node));
  const content = inline(node.childNodes);
  const text = content.trim();
  if (!text) return content;
  if (blockNames.has(name)) return ` ${content} `;
  const link = name === 'a' ? attribute(node, 'href')?.trim() : undefined;
  const mark = marks[name] ?? '';
  if (!link && !mark) return content;
  const marked = link && !/^(?:#|javascript:)/i.test(link) ? `[${text}](${target(link)})` : `${mark}${text}${mark}`;
  return `${/^\s/.test(content) ? ' ' : ''}${marked}${/\s$/.test(content) ? ' ' : ''}`;
}

function picture(node: HtmlNode): string {
  const source = attribute(node, 'src')?.trim();
  const alt = (attribute(node, 'alt') ?? '').replace(/\s+/g, ' ').replace(/[[\]]/g, '\\$&');
  return source ? `![${alt}](${target(source)})` : '';
}

function target(url: string): string {
  return /[\s()<>]/.test(url) ? `<${url.replace(/[<>\n]/g, encodeURIComponent)}>` : url;
}

function codeSpan(source: string): string {
  const code = source.replace(/\s+/g, ' ').trim();
  if (!code) return '';
  return code.includes('`') ? `\`\` ${code} \`\`` : `\`${code}\``;
}
