import * as vscode from 'vscode';
import type { Domains } from '../../core/app.ts';
import { type Box, layout } from './lineage-layout.ts';

export type Picture = Awaited<ReturnType<Domains['graph']['picture']>>;
type Node = Picture['nodes'][number];
type Edge = Picture['edges'][number];

/** What of a picture is shown. */
export interface Shown {
  readonly picture: Picture;
  /** Assets whose columns are shown. */
  readonly open: ReadonlySet<string>;
  /** `asset#column`, whose way through the picture is lit. */
  readonly selected: string | undefined;
}

const HEAD = 48;
const ROW = 20;
const COLUMNS_SHOWN = 30;
const PADDING = 30;

interface Page extends Shown {
  readonly nonce: string;
  readonly script: string;
  readonly style: string;
  /** What the page may load from. */
  readonly source: string;
}

/** The lineage picture as a page: a drawing that the script moves and zooms, and the same as a table. */
export function lineagePage({ picture, open, selected, nonce, script, style, source }: Page): string {
  const { t } = vscode.l10n;
  const start = picture.nodes.find(({ qualified_name }) => qualified_name === picture.start)!;
  const hidden = picture.nodes.reduce((sum, { more }) => sum + more.upstream + more.downstream, 0);
  const said = t('{0} assets, {1} connections.', picture.nodes.length, picture.edges.length);
  const button = (action: string, text: string, label: string) =>
    `<button type="button" data-action="${action}" title="${escaped(label)}" aria-label="${escaped(label)}">${text}</button>`;
  return `<!DOCTYPE html>
<html lang="${escaped(vscode.env.language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ${source}; script-src 'nonce-${nonce}';">
<link rel="stylesheet" href="${style}">
<title>${escaped(start.name)}</title>
</head>
<body>
<header>
<h1>${escaped(t('Lineage of {0}', start.name))}</h1>
<span>${escaped(said)} ${hidden > 0 ? escaped(t('{0} more are next to them.', hidden)) : ''}</span>
<nav>
${button('more', escaped(t('Show more')), t('Show one step more in both directions'))}
${button('in', '+', t('Zoom in'))}
${button('out', '−', t('Zoom out'))}
${button('fit', escaped(t('Fit')), t('Show everything'))}
</nav>
</header>
${drawing({ picture, open, selected }, said)}
<details><summary>${escaped(t('The same as a table'))}</summary>${table(picture)}</details>
<script nonce="${nonce}" src="${script}"></script>
</body>
</html>`;
}

function drawing({ picture, open, selected }: Shown, label: string): string {
  const byName = new Map(picture.nodes.map((node) => [node.qualified_name, node]));
  const columnsOf = (node: Node) => (open.has(node.qualified_name) ? node.columns.slice(0, COLUMNS_SHOWN) : []);
  const heights = new Map(
    picture.nodes.map((node) => [
      node.qualified_name,
      HEAD + columnsOf(node).length * ROW + (columnsOf(node).length ? 8 : 0),
    ]),
  );
  const { boxes, width, height, backward } = layout(heights, picture.edges);
  const lit = selected === undefined ? new Set<string>() : columnWay(picture.edges, selected);
  const arrows = picture.edges.map((edge) => arrow(edge, boxes, backward.has(edge), lit));
  const shapes = [...boxes.values()].map((box) => {
    const node = byName.get(box.name)!;
    return shape(node, box, columnsOf(node), { isStart: box.name === picture.start, isOpen: open.has(box.name), lit });
  });
  const view = [-PADDING, -PADDING, width + 2 * PADDING, height + 2 * PADDING].map(Math.round).join(' ');
  return `<svg viewBox="${view}" data-whole="${view}" role="group" aria-label="${escaped(label)}" tabindex="0">
<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="10" markerHeight="10" markerUnits="userSpaceOnUse" orient="auto-start-reverse"><path d="M0 0 8 4 0 8z"/></marker></defs>
${arrows.join('\n')}
${shapes.join('\n')}
</svg>`;
}

/** Every `asset#column` that a column comes from or goes into. */
function columnWay(edges: readonly Edge[], start: string): Set<string> {
  const pairs = edges.flatMap(({ from, to, columns }) =>
    columns.map((pair): [string, string] => [`${from}#${pair.from}`, `${to}#${pair.to}`]),
  );
  const lit = new Set([start]);
  for (const [source, target] of [
    [0, 1],
    [1, 0],
  ] as const) {
    const next = Map.groupBy(pairs, (pair) => pair[source]);
    const reached = [start];
    for (let i = 0; i < reached.length; i++) {
      for (const pair of next.get(reached[i]!) ?? []) {
        if (!lit.has(pair[target])) {
          lit.add(pair[target]);
          reached.push(pair[target]);
        }
      }
    }
  }
  return lit;
}

function arrow(edge: Edge, boxes: ReadonlyMap<string, Box>, isBackward: boolean, lit: ReadonlySet<string>): string {
  const [from, to] = [boxes.get(edge.from), boxes.get(edge.to)];
  if (!from || !to) return '';
  const [x1, y1] = [from.x + from.width, from.y + HEAD / 2];
  const [x2, y2] = [to.x, to.y + HEAD / 2];
  const bend = isBackward ? 120 : Math.max(40, (x2 - x1) / 2);
  const isLit = edge.columns.some((pair) => lit.has(`${edge.from}#${pair.from}`) && lit.has(`${edge.to}#${pair.to}`));
  const kind = ['edge', isBackward ? 'backward' : '', isLit ? 'lit' : ''].filter(Boolean).join(' ');
  return `<path class="${kind}" d="M${x1} ${y1} C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}" marker-end="url(#tip)"><title>${escaped(`${edge.from} → ${edge.to} (${edge.basis})`)}</title></path>`;
}

interface Look {
  readonly isStart: boolean;
  readonly isOpen: boolean;
  readonly lit: ReadonlySet<string>;
}

function shape(node: Node, box: Box, columns: Node['columns'], { isStart, isOpen, lit }: Look): string {
  const { t } = vscode.l10n;
  const { qualified_name, name, node_type, external, more, path } = node;
  const kind = ['node', isStart ? 'start' : '', external ? 'external' : ''].filter(Boolean).join(' ');
  const label = `${name}, ${node_type}${external ? `, ${t('external')}` : ''}`;
  const target = `data-name="${escaped(qualified_name)}"`;
  const rows = columns.map(({ name: column, type }, i) => {
    const id = `${qualified_name}#${column}`;
    const text = cut(type ? `${column}  ${type}` : column, 32);
    return `<text class="column${lit.has(id) ? ' lit' : ''}" role="button" tabindex="0" data-action="column" data-name="${escaped(id)}" x="12" y="${HEAD + 14 + i * ROW}">${escaped(text)}</text>`;
  });
  const toggle =
    node.columns.length === 0
      ? ''
      : `<g class="toggle" role="button" tabindex="0" data-action="columns" ${target} aria-label="${escaped(isOpen ? t('Hide columns') : t('Show columns'))}"><rect x="${box.width - 30}" y="10" width="22" height="22" rx="4"/><text x="${box.width - 19}" y="26" text-anchor="middle">${isOpen ? '−' : node.columns.length}</text></g>`;
  const badge = (count: number, x: number, says: string) =>
    count === 0
      ? ''
      : `<g class="more" role="button" tabindex="0" data-action="more" aria-label="${escaped(says)}"><rect x="${x - 16}" y="${box.height - 9}" width="32" height="18" rx="9"/><text x="${x}" y="${box.height + 4}" text-anchor="middle">+${count}</text></g>`;
  return `<g class="${kind}" transform="translate(${box.x} ${box.y})">
<g ${path === undefined ? '' : 'role="button" data-action="open"'} tabindex="0" ${target} aria-label="${escaped(label)}"><title>${escaped(qualified_name)}</title><rect class="box" width="${box.width}" height="${box.height}" rx="6"/>
<text class="name" x="12" y="19">${escaped(cut(name, 24))}</text><text class="type" x="12" y="35">${escaped(external ? t('external') : node_type)}</text></g>
${rows.join('')}${toggle}
${badge(more.upstream, 0, t('{0} more upstream', more.upstream))}${badge(more.downstream, box.width, t('{0} more downstream', more.downstream))}
</g>`;
}

function table({ edges }: Picture): string {
  const { t } = vscode.l10n;
  const head = [t('From'), t('To'), t('Known by')].map((name) => `<th scope="col">${escaped(name)}</th>`);
  const rows = edges.map(
    ({ from, to, basis }) => `<tr><td>${escaped(from)}</td><td>${escaped(to)}</td><td>${escaped(basis)}</td></tr>`,
  );
  return `<table><thead><tr>${head.join('')}</tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
