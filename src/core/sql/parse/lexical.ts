import type { Dialect } from './statement.ts';

/** How a dialect writes strings, names and comments. */
export interface LexicalRules {
  /** `"x"` is a string, not a name. */
  readonly doubleQuotedStrings: boolean;
  /** `[x]` is a name. */
  readonly brackets: boolean;
  /** A backslash in a string escapes the next character. */
  readonly backslash: boolean;
  /** `$tag$ … $tag$` is a string. */
  readonly dollarQuotes: boolean;
  /** `'''…'''` and `"""…"""` are strings. */
  readonly tripleQuotes: boolean;
  /** `#` starts a comment. */
  readonly hashComments: boolean;
  /** `//` starts a comment. */
  readonly slashComments: boolean;
  /** `--` starts a comment only before white space. */
  readonly spacedDashes: boolean;
  readonly nestedComments: boolean;
}

const plain: LexicalRules = {
  doubleQuotedStrings: false,
  brackets: false,
  backslash: false,
  dollarQuotes: false,
  tripleQuotes: false,
  hashComments: false,
  slashComments: false,
  spacedDashes: false,
  nestedComments: false,
};

const spark: LexicalRules = { ...plain, doubleQuotedStrings: true, backslash: true };
const postgres: LexicalRules = { ...plain, dollarQuotes: true, nestedComments: true };

const rules: Partial<Record<Dialect, LexicalRules>> = {
  postgres,
  redshift: { ...postgres, backslash: true },
  duckdb: postgres,
  mysql: { ...plain, doubleQuotedStrings: true, backslash: true, hashComments: true, spacedDashes: true },
  sqlite: { ...plain, brackets: true },
  tsql: { ...plain, brackets: true, nestedComments: true },
  snowflake: { ...plain, backslash: true, dollarQuotes: true, slashComments: true },
  bigquery: { ...plain, doubleQuotedStrings: true, backslash: true, tripleQuotes: true, hashComments: true },
  clickhouse: { ...plain, backslash: true },
  spark,
  databricks: spark,
  hive: spark,
};

export function lexicalRules(dialect: Dialect): LexicalRules {
  return rules[dialect] ?? plain;
}

/** Of an unknown dialect: what most agree on, and dollar quotes, which nothing else looks like. */
export const commonRules: LexicalRules = { ...plain, dollarQuotes: true };
