import { commonRules } from './lexical.ts';
import { DIALECTS, type Dialect } from './statement.ts';
import { tokensOf } from './tokens.ts';

const ALIASES: Readonly<Record<string, Dialect>> = {
  postgresql: 'postgres',
  pg: 'postgres',
  pgsql: 'postgres',
  mariadb: 'mysql',
  sqlite3: 'sqlite',
  mssql: 'tsql',
  sqlserver: 'tsql',
  'transact-sql': 'tsql',
  plsql: 'oracle',
  'spark-sql': 'spark',
  sparksql: 'spark',
};

/** The dialect of a name as people, dbt and drivers write it; undefined for one that is not known. */
export function dialectNamed(name: string): Dialect | undefined {
  const plain = name.trim().toLowerCase();
  return ALIASES[plain] ?? DIALECTS.find((dialect) => dialect === plain);
}

/** Words and word pairs that only one dialect, or few, have. */
const HINTS: readonly (readonly [RegExp, number, ...Dialect[]])[] = [
  [/\bAUTO_INCREMENT\b|\bENGINE = (?:INNODB|MYISAM|MEMORY)\b|\bDELIMITER\b|\bUNSIGNED\b/, 5, 'mysql'],
  [/\b(?:TINYINT|MEDIUMINT|LONGTEXT|MEDIUMTEXT|DATETIME)\b/, 1, 'mysql'],
  [/\bSTRAIGHT_JOIN\b|\bON DUPLICATE KEY\b|\bIFNULL\b/, 3, 'mysql'],
  [
    /\bAUTOINCREMENT\b|\bWITHOUT ROWID\b|\bPRAGMA\b|\bSTRFTIME\b|\bSQLITE_|\bINSERT OR (?:REPLACE|IGNORE)\b/,
    5,
    'sqlite',
  ],
  [/\b(?:BIG|SMALL)?SERIAL\b|: :|\bJSONB\b|\bILIKE\b|\bTIMESTAMPTZ\b|\bBYTEA\b|\bCREATE EXTENSION\b/, 3, 'postgres'],
  [
    /\bOWNER TO\b|\bLANGUAGE PLPGSQL\b|\bNEXTVAL\b|\bFROM STDIN\b|\bPG_CATALOG\b|\bON CONFLICT\b|\bREGCLASS\b/,
    4,
    'postgres',
  ],
  [/\bCHARACTER VARYING\b|\bWITHOUT TIME ZONE\b|\bDISTINCT ON\b|\bGENERATE_SERIES\b/, 2, 'postgres'],
  [/\bNVARCHAR\b|\bIDENTITY \( ?\d|\bDBO\b|\bSELECT TOP\b|\bUNIQUEIDENTIFIER\b|\bGETDATE\b/, 5, 'tsql'],
  [/\[ \w+ \]|\bDATETIME2\b|\bCLUSTERED\b|\bNOCOUNT\b|\bCROSS APPLY\b/, 4, 'tsql'],
  [/\bVARIANT\b|\bFLATTEN \(|\bFILE FORMAT\b|\bTIMESTAMP_(?:NTZ|LTZ|TZ)\b|\bCOPY INTO\b|\bWAREHOUSE\b/, 5, 'snowflake'],
  [/\bQUALIFY\b|\bIFF \(|\bILIKE ANY\b/, 2, 'snowflake'],
  [
    /\bSTRUCT <|\bARRAY <|\bSAFE_CAST\b|\bINT64\b|\bFLOAT64\b|\bDATE_TRUNC \( \w+ , (?:MONTH|DAY|WEEK|YEAR)\b/,
    4,
    'bigquery',
  ],
  [/\bPARTITION BY DATE \(|\b_TABLE_SUFFIX\b|\bTIMESTAMP_TRUNC\b/, 3, 'bigquery'],
  [/\bREAD_(?:CSV|PARQUET|JSON)(?:_AUTO)?\b|\bHUGEINT\b|\bSUMMARIZE\b|\bEXCLUDE \(/, 4, 'duckdb'],
  [/\bVARCHAR2\b|\bNUMBER \(|\bSYSDATE\b|\bNVL \(|\bROWNUM\b|\bFROM DUAL\b/, 4, 'oracle'],
  [/\bDISTKEY\b|\bSORTKEY\b|\bDISTSTYLE\b|\bENCODE (?:ZSTD|LZO|RAW|AZ64)\b/, 6, 'redshift'],
  [/\bUSING DELTA\b|\bTBLPROPERTIES\b|\bZORDER\b/, 5, 'databricks'],
  [/\bLATERAL VIEW\b|\bUSING PARQUET\b/, 4, 'spark'],
  [/\bSTORED AS\b|\bROW FORMAT\b|\bSERDE\b/, 4, 'hive'],
  [/\bENGINE = \w*MERGETREE\b|\bLOWCARDINALITY\b|\bDATETIME64\b|\bNULLABLE \(|\bORDER BY TUPLE\b/, 6, 'clickhouse'],
];

/** Tried in this order when nothing in the text speaks for one of them. */
const USUAL: readonly Dialect[] = [
  'postgres',
  'mysql',
  'sqlite',
  'tsql',
  'snowflake',
  'bigquery',
  'duckdb',
  'oracle',
  'spark',
  'clickhouse',
  'generic',
];
/** How much is looked at: enough for a dialect to show. */
const SAMPLE_TOKENS = 20_000;
const SAMPLE_CHARACTERS = 200_000;
const HEAD_CHARACTERS = 2000;
/** What the comment at the head of a script calls the database it is for. */
const NAMED =
  /(?:--|\/\*|#)[\s\S]*?\b(sqlite|mysql|mariadb|postgres(?:ql)?|(?:ms ?)?sql ?server|oracle|snowflake|bigquery|redshift|duckdb|clickhouse|databricks)\b/i;
const WITHOUT_BACKTICKS: readonly Dialect[] = ['postgres', 'tsql', 'oracle', 'snowflake', 'redshift', 'duckdb'];

/** Dialects a text may be written in, the likeliest first, and how many of them something in it speaks for. */
export function likelyDialects(text: string): { dialects: Dialect[]; hinted: number } {
  const { words, backticks } = sample(text);
  const scores = new Map<Dialect, number>();
  const add = (dialect: Dialect, score: number) => scores.set(dialect, (scores.get(dialect) ?? 0) + score);
  for (const [pattern, weight, ...dialects] of HINTS) {
    if (pattern.test(words)) for (const dialect of dialects) add(dialect, weight);
  }
  const lines = text.slice(0, SAMPLE_CHARACTERS);
  if (/^[ \t]*GO[ \t]*\r?$/im.test(lines)) add('tsql', 5);
  if (/^\/[ \t]*\r?$/m.test(lines)) add('oracle', 4);
  const named = NAMED.exec(lines.slice(0, HEAD_CHARACTERS))?.[1];
  const spoken = named && dialectNamed(named.replace(/ /g, ''));
  if (spoken) add(spoken, 12);
  if (backticks) {
    for (const dialect of WITHOUT_BACKTICKS) scores.delete(dialect);
    for (const dialect of ['mysql', 'spark', 'bigquery'] as const)
      add(dialect, backticks === 'dotted' && dialect === 'bigquery' ? 4 : 2);
  }
  const hinted = [...scores].sort((a, b) => b[1] - a[1]).map(([dialect]) => dialect);
  return { dialects: [...new Set([...hinted, ...USUAL])], hinted: hinted.length };
}

/** The text without its strings, quoted names and comments, in upper case, its tokens apart; and what its backticks hold. */
function sample(text: string): { words: string; backticks: 'dotted' | 'plain' | undefined } {
  let words = '';
  let backticks: 'dotted' | 'plain' | undefined;
  let count = 0;
  for (const { kind, start, end } of tokensOf(text, commonRules)) {
    if (count++ > SAMPLE_TOKENS) break;
    const piece = text.slice(start, end);
    if (kind === 'word' || kind === 'number' || kind === 'symbol') words += ` ${piece.toUpperCase()}`;
    else if (piece.startsWith('`') && backticks !== 'dotted') backticks = piece.includes('.') ? 'dotted' : 'plain';
  }
  return { words, backticks };
}
