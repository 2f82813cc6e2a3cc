import type { TableName } from '../parse/statement.ts';

/**
 * Anchors: the qualified names that the graph gives to tables (`postgres://<connection>/<database>/<schema>/<table>`,
 * `file://<path>`), as far as a query lets them be known. Of SQL that names no connection, they are the dialect and the
 * parts of the name as written.
 */
export function anchorOf({ parts }: TableName, system: string, root?: string): string {
  // SQLite's own name for the database that is open says nothing.
  const named = system === 'sqlite' && parts.length > 1 && parts[0]?.toLowerCase() === 'main' ? parts.slice(1) : parts;
  return `${system}://${[...(root === undefined ? [] : [root]), ...named].map(encode).join('/')}`;
}

/** Anchors of the workspace's data files, and of tables in its SQLite files. */
export function fileAnchor({ parts }: TableName): string {
  const [path = '', ...table] = parts;
  const place = path.split('/').map(encode).join('/');
  return table.length === 0 ? `file://${place}` : `sqlite://${place}/${table.map(encode).join('/')}`;
}

function encode(part: string): string {
  return part.replace(
    /[/#?%\u0000-\u001f\u007f]/g,
    (unit) => `%${unit.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`,
  );
}

interface Parsed {
  readonly system: string;
  readonly parts: readonly string[];
}

function parse(anchor: string): Parsed {
  const at = anchor.indexOf('://');
  const parts = (at < 0 ? anchor : anchor.slice(at + 3))
    .split('#')[0]!
    .toLowerCase()
    .split('/')
    .filter((part) => part !== '');
  return { system: at < 0 ? '' : anchor.slice(0, at).toLowerCase(), parts };
}

/** Systems whose names a table of one may go by in the SQL of the other. */
const ALIKE: Readonly<Record<string, string>> = {
  generic: '',
  sql: '',
  sqlserver: 'tsql',
  redshift: 'postgres',
  dbt: '',
};

/**
 * True when two anchors name the same table: one may leave out the connection, database or schema before it.
 * `sqlite://main/<table>`, the form of older records, names the table of any SQLite database.
 */
export function sameTable(a: string, b: string): boolean {
  if (a === b) return true;
  const [first, second] = [parse(a), parse(b)];
  const [one, other] = [ALIKE[first.system] ?? first.system, ALIKE[second.system] ?? second.system];
  if (one !== '' && other !== '' && one !== other) return false;
  const [short, long] = [withoutMain(first), withoutMain(second)].sort((x, y) => x.length - y.length) as [
    readonly string[],
    readonly string[],
  ];
  return short.length > 0 && short.every((part, i) => part === long[long.length - short.length + i]);
}

function withoutMain({ system, parts }: Parsed): readonly string[] {
  return system === 'sqlite' && parts.length === 2 && parts[0] === 'main' ? parts.slice(1) : parts;
}

/** The table's own name: the last part, or a data file's without its extension. */
export function tableOf(anchor: string): string {
  const name = decodeURIComponent((anchor.split('#')[0]!.split('/').at(-1) ?? '').replace(/%(?![0-9a-f]{2})/gi, '%25'));
  return anchor.startsWith('file://') ? name.replace(/\.[^.]+$/, '') : name;
}
