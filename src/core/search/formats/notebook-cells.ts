import { UserError } from '../../errors.ts';

/** A Jupyter notebook, format 3 or 4, as far as it is read. */
export interface Notebook {
  readonly title: string;
  /** The kernel's language, such as `python`; empty if it is not said. */
  readonly language: string;
  readonly cells: readonly Cell[];
}

export interface Cell {
  readonly kind: 'markdown' | 'code' | 'raw';
  readonly source: string;
  readonly language: string;
  readonly outputs: readonly Output[];
  /** Pictures pasted into a Markdown cell: by name, then by MIME type, in base64. */
  readonly attachments: Fields;
}

export interface Output {
  /** Plain text without terminal colours; empty for a picture. */
  readonly text: string;
  readonly error: boolean;
  /** By MIME type. */
  readonly data: Fields;
}

type Fields = Readonly<Record<string, unknown>>;

const pictureTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/svg+xml'];
/** Format 3 keeps an output's data under these names. */
const oldNames: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  svg: 'image/svg+xml',
  html: 'text/html',
};
const ansi = /\x1b\[[0-9;?]*[A-Za-z]|\x1b\][^\x07\x1b]{0,1000}(?:\x07|\x1b\\)/g;

/** Throws `UserError` `damaged` when the text is not JSON or not a notebook. */
export function parseNotebook(json: string, path: string): Notebook {
  const root = fields(parseJson(json, path));
  const sheets = Array.isArray(root.worksheets) ? root.worksheets : [root];
  const cells = sheets.flatMap((sheet) => array(fields(sheet).cells));
  if (!Array.isArray(root.cells) && !Array.isArray(root.worksheets)) throw damaged(path, 'it has no list of cells');
  const metadata = fields(root.metadata);
  const language = string(fields(metadata.language_info).name) || string(fields(metadata.kernelspec).language);
  return {
    title: string(metadata.title) || string(metadata.name),
    language,
    cells: cells.map((cell) => readCell(fields(cell))),
  };
}

/** The picture an output shows, as base64 (SVG: as text), or undefined if it shows none. */
export function pictureOf(output: Pick<Output, 'data'>): { mime: string; content: string } | undefined {
  const mime = pictureTypes.find((type) => output.data[type] !== undefined);
  return mime === undefined ? undefined : { mime, content: joined(output.data[mime]) };
}

function parseJson(json: string, path: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw damaged(path, error instanceof Error ? error.message.slice(0, 200) : 'it is not JSON');
  }
}

function damaged(path: string, reason: string): UserError {
  return new UserError(
    'damaged',
    `${path} is not a Jupyter notebook: ${reason}.`,
    'Open it in Jupyter and save it again.',
  );
}

function readCell(cell: Fields): Cell {
  const type = string(cell.cell_type);
  const source = joined(cell.source ?? cell.input);
  const level = typeof cell.level === 'number' ? Math.min(6, Math.max(1, cell.level)) : 1;
  return {
    kind: type === 'code' ? 'code' : type === 'markdown' || type === 'heading' ? 'markdown' : 'raw',
    source: type === 'heading' ? `${'#'.repeat(level)} ${source}` : source,
    language: string(cell.language) || string(fields(fields(cell.metadata).vscode).languageId),
    outputs: array(cell.outputs).map((output) => readOutput(fields(output))),
    attachments: fields(cell.attachments),
  };
}

function readOutput(output: Fields): Output {
  const data: Record<string, unknown> = { ...fields(output.data) };
  for (const [name, type] of Object.entries(oldNames)) if (output[name] !== undefined) data[type] = output[name];
  if (pictureOf({ data })) return { text: '', error: false, data };
  const trace = array(output.traceback).map(string).join('\n');
  const error = string(output.ename) !== '' || trace !== '';
  const failure = trace || `${string(output.ename)}: ${string(output.evalue)}`;
  const plain = joined(data['text/plain'] ?? data['text/markdown'] ?? data['text/latex'] ?? output.text);
  const html = plain
    ? ''
    : joined(data['text/html'])
        .replace(/<[^<>]*>/g, ' ')
        .replace(/[ \t]+/g, ' ')
        .replace(/\n\s*\n/g, '\n');
  return { text: (error ? failure : plain || html).replace(ansi, ''), error, data };
}

/** Text that the format allows to be one string or a list of lines. */
function joined(value: unknown): string {
  const text = Array.isArray(value) ? value.map(string).join('') : string(value);
  return text.toWellFormed().replace(/\r\n?/g, '\n');
}

function string(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function array(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}
