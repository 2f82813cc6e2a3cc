import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { App, Domains } from '../../core/app.ts';

type Timeline = Awaited<ReturnType<Domains['threads']['timeline']>>;

/** Size of the drawing, in its own units; it scales with the panel. */
const [WIDTH, HEIGHT, LEFT, BOTTOM] = [900, 320, 70, 30] as const;
/** Rows of the table beside the picture: beyond it, every so-many-th message stands for its neighbours. */
const MOST_ROWS = 1000;

/** Shows how full a thread's window was over time, in a panel of its own. */
export async function showPicture(app: App, threadId: string): Promise<void> {
  const timeline = await app.threads.timeline({ thread_id: threadId, caller_thread: undefined });
  const title = vscode.l10n.t('Memory of {0}', timeline.title);
  const panel = vscode.window.createWebviewPanel('loci.threadMemory', title, vscode.ViewColumn.Active, {
    enableScripts: false,
    localResourceRoots: [],
  });
  panel.iconPath = new vscode.ThemeIcon('graph-line');
  panel.webview.html = pictureHtml(timeline, randomBytes(16).toString('base64'));
}

/** A page without scripts: a drawing of tokens by message with the compactions, and the same as a table. */
function pictureHtml(timeline: Timeline, nonce: string): string {
  const { t } = vscode.l10n;
  const { title, window, points, compactions } = timeline;
  const most = tokensText(Math.max(1, ...points.map(({ total }) => total)));
  const said =
    window === null
      ? t('{0} messages, {1} compactions; at most about {2} tokens.', points.length, compactions.length, most)
      : t(
          '{0} messages, {1} compactions; at most about {2} of {3} tokens.',
          points.length,
          compactions.length,
          most,
          tokensText(window),
        );
  return `<!DOCTYPE html>
<html lang="${escaped(vscode.env.language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'nonce-${nonce}';">
<title>${escaped(title)}</title>
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<h1>${escaped(title)}</h1>
<p>${escaped(said)} ${escaped(t('Tokens are estimated from the text; a dashed line is a compaction, after which what it hid can still be recovered.'))}</p>
${points.length === 0 ? '' : drawing(timeline, escaped(said))}
<details><summary>${escaped(t('The same as a table'))}</summary>${table(timeline)}</details>
</body>
</html>`;
}

function drawing({ points, compactions, window }: Timeline, label: string): string {
  const top = Math.max(1, window ?? 0, ...points.map(({ total }) => total)) * 1.05;
  const x = (number: number) => round(LEFT + ((number - 0.5) / points.length) * (WIDTH - LEFT - 10));
  const y = (tokens: number) => round(HEIGHT - BOTTOM - (tokens / top) * (HEIGHT - BOTTOM - 10));
  const after = new Map(compactions.map((compaction) => [compaction.after, compaction]));
  const line = points.flatMap(({ number, total }) => {
    const compaction = after.get(number);
    return [`${x(number)},${y(total)}`, ...(compaction ? [`${x(number)},${y(compaction.total)}`] : [])];
  });
  const floor = y(0);
  const area = `${x(1)},${floor} ${line.join(' ')} ${x(points.length)},${floor}`;
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((share) => {
    const tokens = Math.round((share * (window ?? top)) / 100) * 100;
    const at = y(tokens);
    return `<line class="grid" x1="${LEFT}" x2="${WIDTH - 10}" y1="${at}" y2="${at}"/><text x="${LEFT - 8}" y="${at + 4}" text-anchor="end">${tokensText(tokens)}</text>`;
  });
  const marks = compactions.map(
    ({ after: number, id, hidden_to }) =>
      `<line class="compaction" x1="${x(number)}" x2="${x(number)}" y1="10" y2="${floor}"><title>${escaped(`${id}: 1–${hidden_to}`)}</title></line>`,
  );
  const limit =
    window === null ? '' : `<line class="window" x1="${LEFT}" x2="${WIDTH - 10}" y1="${y(window)}" y2="${y(window)}"/>`;
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}">
${ticks.join('\n')}
<polygon class="area" points="${area}"/>
<polyline class="line" points="${line.join(' ')}"/>
${limit}
${marks.join('\n')}
<text x="${LEFT}" y="${HEIGHT - 8}">1</text>
<text x="${WIDTH - 10}" y="${HEIGHT - 8}" text-anchor="end">${points.length}</text>
</svg>`;
}

function table({ points, compactions }: Timeline): string {
  const { t } = vscode.l10n;
  const every = Math.ceil(points.length / MOST_ROWS);
  const rows = points.flatMap(({ number, role, tool, tokens, total }) => {
    const own = compactions
      .filter(({ after }) => after === number)
      .map(({ id, hidden_to, total: left }) => row([id, t('hides up to {0}', hidden_to), '', String(left)]));
    const shown = (number - 1) % every === 0 || own.length > 0;
    return shown ? [row([String(number), tool ?? role, String(tokens), String(total)]), ...own] : [];
  });
  const head = [t('Message'), t('Who'), t('Tokens'), t('In the window')].map(
    (name) => `<th scope="col">${escaped(name)}</th>`,
  );
  const note = every > 1 ? `<p>${escaped(t('Every {0}th message is listed.', every))}</p>` : '';
  return `${note}<table><thead><tr>${head.join('')}</tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

function tokensText(tokens: number): string {
  return tokens.toLocaleString('en-US');
}

function row(cells: readonly string[]): string {
  return `<tr>${cells.map((cell) => `<td>${escaped(cell)}</td>`).join('')}</tr>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

const STYLE = `
body { color: var(--vscode-foreground); font-family: var(--vscode-font-family); font-size: var(--vscode-font-size); padding: 0 1.5em 1.5em; }
h1 { font-size: 1.3em; font-weight: 600; }
svg { width: 100%; max-width: 70em; height: auto; }
text { fill: var(--vscode-descriptionForeground); font-size: 11px; }
.grid { stroke: var(--vscode-editorWidget-border, var(--vscode-foreground)); stroke-opacity: 0.35; }
.area { fill: var(--vscode-charts-blue); fill-opacity: 0.18; }
.line { fill: none; stroke: var(--vscode-charts-blue); stroke-width: 2; }
.window { stroke: var(--vscode-charts-red); stroke-width: 1.5; }
.compaction { stroke: var(--vscode-charts-orange); stroke-width: 1.5; stroke-dasharray: 5 4; }
table { border-collapse: collapse; margin-top: 0.8em; }
th, td { border-bottom: 1px solid var(--vscode-editorWidget-border); padding: 0.2em 1em 0.2em 0; text-align: left; }
td:nth-child(n+3), th:nth-child(n+3) { text-align: right; }
summary { cursor: pointer; }
`;
