import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { WorkspaceFolder } from '../../host.ts';
import { decodeText } from '../../search/formats/decode.ts';
import { throwIfAborted } from '../../util/abort.ts';
import { parseSql } from '../parse/parse-sql.ts';
import type { SqlStatement } from '../parse/statement.ts';

/** Largest file that is read, in bytes, and most files. */
const LARGEST = 2_000_000;
const MOST_FILES = 2000;
const GIT_MS = 10_000;

const run = promisify(execFile);

export interface FileQuery {
  readonly file: string;
  /** System of its anchors: the dialect where it is certain, else `sql`. */
  readonly system: string;
  readonly statement: SqlStatement;
  /** ISO time of the file's last change. */
  readonly changedAt: string;
}

export interface FileQueries {
  readonly queries: readonly FileQuery[];
  readonly files: number;
  /** Statements that were not understood. */
  readonly unparsed: number;
  /** Why files are missing. */
  readonly problems: readonly string[];
}

/** The queries in the .sql files that git tracks in the workspace's folders; a file is read again when it has changed. */
export function sqlFiles() {
  const known = new Map<string, { stamp: string; queries: FileQuery[]; unparsed: number }>();

  const queriesOf = async (path: string, file: string, signal: AbortSignal | undefined) => {
    const { size, mtimeMs, mtime } = await stat(path);
    const stamp = `${size} ${mtimeMs}`;
    const before = known.get(path);
    if (before?.stamp === stamp) return before;
    if (size > LARGEST) return { stamp, queries: [], unparsed: 0 };
    const { text } = decodeText(await readFile(path), file);
    const { dialect, certain, statements, problems } = await parseSql(text, { signal });
    const system = certain ? dialect : 'sql';
    const queries = statements
      .filter(asks)
      .map((statement) => ({ file, system, statement, changedAt: mtime.toISOString() }));
    const found = { stamp, queries, unparsed: problems.length };
    known.set(path, found);
    return found;
  };

  return async (folders: readonly WorkspaceFolder[], signal?: AbortSignal): Promise<FileQueries> => {
    const queries: FileQuery[] = [];
    const problems: string[] = [];
    let files = 0;
    let unparsed = 0;
    for (const { path: root, name } of folders) {
      const tracked = await trackedFiles(root, problems);
      for (const file of tracked.slice(0, MOST_FILES)) {
        throwIfAborted(signal);
        try {
          const found = await queriesOf(join(root, file), folders.length > 1 ? `${name}/${file}` : file, signal);
          queries.push(...found.queries);
          unparsed += found.unparsed;
          files++;
        } catch (error) {
          if (signal?.aborted) throw error;
          problems.push(`${file}: ${(error as Error).message}`);
        }
      }
      if (tracked.length > MOST_FILES)
        problems.push(`${name}: only the first ${MOST_FILES} of ${tracked.length} .sql files were read.`);
    }
    return { queries, files, unparsed, problems };
  };
}

/** Statements that ask or move data; those that only define or fill a table by values are no analyses. */
function asks({ kind, reads }: SqlStatement): boolean {
  return kind === 'select' || (reads.length > 0 && kind !== 'other' && kind !== 'alter_table');
}

async function trackedFiles(root: string, problems: string[]): Promise<string[]> {
  try {
    // A repository's own settings may name programs that git would run.
    const options = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null'];
    const { stdout } = await run('git', [...options, 'ls-files', '-z', '--', '*.sql'], {
      cwd: root,
      timeout: GIT_MS,
      maxBuffer: 50_000_000,
    });
    return stdout.split('\0').filter((file) => file !== '');
  } catch (error) {
    const message = (error as { stderr?: string }).stderr || (error as Error).message;
    if (!/not a git repository/i.test(message)) problems.push(`git: ${message.split('\n')[0]}`);
    return [];
  }
}
