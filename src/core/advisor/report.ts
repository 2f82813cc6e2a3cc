import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '../errors.ts';
import { writeFileAtomic } from '../util/atomic-file.ts';
import { cleanVersion } from './release-notes.ts';

const LARGEST = 100_000;
const SHORTEST = 80;

/** A finished report, free of what shows that it is not. @throws UserError `unfinished_report`. */
export function checkedReport(markdown: string, version: string | null, runtimeVersion: string): string {
  const text = markdown.replaceAll('\r\n', '\n').trim();
  const running = cleanVersion(runtimeVersion);
  const placeholder = /\b(?:TODO|TBD|FIXME|lorem ipsum)\b|\{\{[^}]*\}\}|<(?:insert|your)[^>]*>/i.exec(text)?.[0];
  const problem =
    version !== null && cleanVersion(version) !== running
      ? `It is about version ${version}; this build is ${running}.`
      : text.length < SHORTEST
        ? 'It is too short to be a report.'
        : text.length > LARGEST
          ? `It has ${text.length} characters; at most ${LARGEST} are kept.`
          : !/^#{1,3} \S/m.test(text)
            ? 'It has no heading.'
            : !text.includes(running)
              ? `It does not name the version it is about, ${running}.`
              : placeholder !== undefined
                ? `It still holds a placeholder: ${placeholder}.`
                : (text.match(/^(?:```|~~~)/gm)?.length ?? 0) % 2 === 1
                  ? 'A code fence in it is not closed.'
                  : undefined;
  if (problem === undefined) return `${text}\n`;
  throw new UserError('unfinished_report', `The report cannot be saved. ${problem}`, 'Mend it and save it again.');
}

/** Where the report about a version lies in the folder of one workspace. */
export function reportPath(folder: string, version: string): string {
  return join(folder, `v${cleanVersion(version).replaceAll(/[^\w.-]/g, '_')}.md`);
}

export async function saveReport(path: string, report: string): Promise<void> {
  try {
    await writeFileAtomic(path, report);
  } catch (error) {
    throw new UserError(
      'not_saved',
      `The report could not be saved: ${(error as Error).message}`,
      'Show it to the person in the chat instead.',
    );
  }
}

/** The saved report; null if there is none. */
export function readReport(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch(() => null);
}
