/**
 * Qualified names: `<system>://<place>/<…>`. They name an asset the same way in every clone of a workspace, so that what
 * is written about it (wiki, history) can be shared; nothing of the machine, the clone's folder or the time is in them.
 *
 *   postgres://workspace/public/orders     table or view of the workspace's DDL: dialect, database root, schema, table
 *   postgres://services/billing/public/x   the same where the DDL lies in a folder of its own (see databaseRoot)
 *   postgres://<connection>/<db>/<schema>/<table>, sqlite://<connection>/<table>   tables of a registered connection
 *   sqlite://data/shop.sqlite/orders       table of a SQLite file in the workspace
 *   file://data/claims.csv                 data file, query or script
 *   dbt://<project>/<model>                model, seed or snapshot (they share one namespace in dbt); versions: model.v2
 *   dbt://<project>/source/<source>/<table>, …/exposure/<name>, …/test/<name>, …/metric/<name>; the project: dbt://<project>
 *   jupyter://<notebook path>   airflow://<dag id>/<task id>   github-actions://<workflow file>/<job>
 *   gitlab-ci://<file>/<job>    grafana://<dashboard uid>      evidence://<page path>   metabase://card/<id>
 *   prisma://<schema path>/<model>   graphql://<schema path>/<type>[/<field>]   openapi://<path>/<operation id>
 *   loci://<type>/connection/<id>          a registered connection itself
 *
 * `#column` after a name is one of its columns. A part keeps its spelling, with `/ # ? %` and control characters
 * percent-encoded; names are looked up by exact spelling first, then without regard to case.
 */
export function qualifiedName(system: string, ...parts: readonly string[]): string {
  return `${system}://${parts.map(encodePart).join('/')}`;
}

/** A name whose first part is a path, which keeps its slashes. */
export function pathName(system: string, path: string, ...parts: readonly string[]): string {
  return `${system}://${[...path.split('/'), ...parts].map(encodePart).join('/')}`;
}

/** The scheme of a qualified name; empty if it has none. */
export function systemOf(qualifiedName: string): string {
  return /^([a-z][a-z0-9+.-]*):\/\//i.exec(qualifiedName)?.[1]?.toLowerCase() ?? '';
}

/** The last part of a qualified name, decoded. */
export function lastPart(qualifiedName: string): string {
  const rest = qualifiedName.slice(qualifiedName.indexOf('://') + 3);
  return decodePart(rest.slice(rest.lastIndexOf('/') + 1)) || rest;
}

/** The parts of a qualified name after its scheme, decoded. */
export function partsOf(qualifiedName: string): string[] {
  const start = qualifiedName.indexOf('://');
  return (start < 0 ? qualifiedName : qualifiedName.slice(start + 3)).split('/').map(decodePart);
}

/** Splits `asset#column`; the column is undefined when the name has none. */
export function splitColumn(name: string): { asset: string; column: string | undefined } {
  const hash = name.indexOf('#');
  return hash < 0
    ? { asset: name, column: undefined }
    : { asset: name.slice(0, hash), column: decodePart(name.slice(hash + 1)) };
}

export function columnName(asset: string, column: string): string {
  return `${asset}#${encodePart(column)}`;
}

function encodePart(part: string): string {
  return part.replace(
    /[/#?%\x00-\x1f\x7f]/g,
    (unit) => `%${unit.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`,
  );
}

function decodePart(part: string): string {
  return part.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** Folders that say what kind of SQL they hold, not which database it belongs to. */
const KIND_FOLDERS =
  /^(?:v?\d[\w.-]*|sql|ddl|dml|db|databases?|schemas?|migrat(?:e|ions?)|views?|tables?|functions|procedures|triggers|init|baselines?|changes|versions|scripts|dumps?|seeds?|up|analys[ie]s|quer(?:y|ies)|reports?|src|main|resources|postgres(?:ql)?|mysql|mariadb|sqlite|mssql|sqlserver|oracle|snowflake|bigquery)$/i;

/**
 * The database that a DDL file belongs to: its folder without the trailing folders that only say what kind of SQL is in
 * them. `services/billing/db/migrations/V1.sql` belongs to `services/billing`, `sql/schema/core.sql` to `workspace`.
 */
export function databaseRoot(file: string): string {
  const folders = file.split('/').slice(0, -1);
  // prisma/migrations/20240101_init/migration.sql: a folder for each migration.
  const migrations = folders.findIndex((folder) => /^migrations?$/i.test(folder));
  const kept = migrations < 0 ? folders : folders.slice(0, migrations);
  while (kept.length > 0 && (KIND_FOLDERS.test(kept.at(-1)!) || kept.at(-1) === 'prisma' || kept.at(-1) === 'supabase'))
    kept.pop();
  return kept.join('/') || 'workspace';
}

const DIALECTS =
  'postgres(?:ql)?|pgsql|mysql|mariadb|sqlite3?|sqlserver|mssql|tsql|oracle|snowflake|bigquery|redshift|duckdb|clickhouse|databricks|spark|hive|trino';
/** A folder, or the beginning or end of a file's name: in its middle, `002_postgres_indexes.sql`, it says what a change is about. */
const DIALECT_PLACES = new RegExp(`(?:^|/)(?:[^/]*[_.-])?(${DIALECTS})(?:/|\\.\\w+$)|(?:^|/)(${DIALECTS})[_.-]`, 'i');

/** The SQL dialect that a path speaks of: `Chinook_Sqlite.sql`, `db/mysql/schema.sql`. */
export function dialectInPath(file: string): string | undefined {
  const found = DIALECT_PLACES.exec(file);
  return (found?.[1] ?? found?.[2])?.toLowerCase();
}
