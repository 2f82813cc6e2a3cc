import { parse, type DefaultTreeAdapterTypes as Tree } from 'parse5';

export type HtmlParent = Tree.ParentNode;
export type HtmlNode = Tree.ChildNode;

/** Elements that hold no content of the page. */
const dropped = new Set(
  'script style noscript template nav footer aside iframe object embed svg canvas form button select input dialog link meta'.split(
    ' ',
  ),
);
/** Their end tags may be left out, and void elements have none: an open tag of these says nothing about depth. */
const unclosed = new Set(
  (
    'p li dt dd td th tr thead tbody tfoot colgroup option optgroup rt rp html head body ' +
    'area base br col embed hr img input link meta param source track wbr'
  ).split(' '),
);
const rawText = new Set(['script', 'style', 'textarea', 'title']);
const maxDepth = 200;
const maxOpen = 2000;

/** A page's title and the root of its main content, without navigation, scripts and styles, at most 200 elements deep. */
export interface Page {
  readonly title: string;
  readonly main: HtmlParent | undefined;
}

/** Undefined if the tags are nested so deeply that the parsing algorithm of the HTML standard would take quadratic time. */
export function parsePage(html: string): Page | undefined {
  if (openTags(html) > maxOpen) return undefined;
  const document = parse(html);
  const title = find(document, (node) => node.nodeName === 'title');
  const roots = [isMain, (node: HtmlNode) => node.nodeName === 'article', (node: HtmlNode) => node.nodeName === 'body'];
  const found = roots.map((matches) => find(document, matches));
  const main = found.find((root) => root !== undefined && textOf(root).trim() !== '') ?? found.at(-1);
  if (main) prune(main);
  return { title: title ? textOf(title).replace(/\s+/g, ' ').trim() : '', main };
}

/** The most tags that were open at once, counting only those that must be closed. */
function openTags(html: string): number {
  const tag = /<(\/?)([a-z][a-z0-9]*)/gi;
  let open = 0;
  let most = 0;
  for (let match = tag.exec(html); match; match = tag.exec(html)) {
    const name = match[2]?.toLowerCase() ?? '';
    if (unclosed.has(name)) continue;
    open = match[1] ? Math.max(0, open - 1) : open + 1;
    most = Math.max(most, open);
    if (!match[1] && rawText.has(name)) tag.lastIndex = rawTextEnd(html, tag.lastIndex, name);
  }
  return most;
}

/** Where the element's end tag starts; no tag is one inside a script. */
function rawTextEnd(html: string, from: number, name: string): number {
  const end = new RegExp(`</${name}`, 'gi');
  end.lastIndex = from;
  return end.exec(html)?.index ?? html.length;
}

function isMain(node: HtmlNode): boolean {
  return node.nodeName === 'main' || attribute(node, 'role') === 'main';
}

/** An attribute's value; undefined if the node has no such attribute. */
export function attribute(node: HtmlNode | HtmlParent, name: string): string | undefined {
  return 'attrs' in node ? node.attrs.find((attr) => attr.name === name)?.value : undefined;
}

function find(root: HtmlParent, matches: (node: HtmlNode) => boolean): Tree.Element | undefined {
  for (const node of walk(root)) if ('tagName' in node && matches(node)) return node;
  return undefined;
}

/** All nodes below `root` in document order, without recursion. */
function* walk(root: HtmlParent): Generator<HtmlNode> {
  const stack: HtmlNode[] = root.childNodes.toReversed();
  for (let node = stack.pop(); node; node = stack.pop()) {
    yield node;
    if ('childNodes' in node) for (let i = node.childNodes.length - 1; i >= 0; i--) stack.push(node.childNodes[i]!);
  }
}

/** All the text below a node, as it stands in the source. */
export function textOf(root: HtmlParent): string {
  const parts: string[] = [];
  for (const node of walk(root)) if (node.nodeName === '#text') parts.push((node as Tree.TextNode).value);
  return parts.join('');
}

function prune(root: HtmlParent): void {
  const stack: { node: HtmlParent; depth: number }[] = [{ node: root, depth: 0 }];
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { node, depth } = next;
    if (depth === maxDepth) node.childNodes = [{ nodeName: '#text', value: textOf(node), parentNode: node }];
    else node.childNodes = node.childNodes.filter((child) => !isDropped(child));
    for (const child of node.childNodes) if ('childNodes' in child) stack.push({ node: child, depth: depth + 1 });
  }
}

function isDropped(node: HtmlNode): boolean {
  if (node.nodeName === '#comment' || dropped.has(node.nodeName)) return true;
  if (attribute(node, 'hidden') !== undefined || attribute(node, 'role') === 'navigation') return true;
  // The sign beside a heading that links to it.
  return node.nodeName === 'a' &&
    'childNodes' in node &&
    /^[#¶§🔗\s]{0,4}$/u.test(textOf(node)) &&
    node.childNodes.length <= 1
    ? /^#/.test(attribute(node, 'href') ?? '')
    : false;
}
