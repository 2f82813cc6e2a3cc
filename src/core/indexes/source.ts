import { realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname } from 'node:path';
import { UserError } from '../errors.ts';
import { brief } from '../util/page.ts';
import { expandPath, isCredentialStore, isSecretFile } from '../util/paths.ts';
import type { IndexSource } from './definition.ts';

/**
 * A folder or file that may be indexed; a relative path starts from `base`.
 * @throws UserError for one that is not there, too wide, or holds secrets.
 */
export async function sourceAt(
  path: string,
  { include, exclude }: { readonly include: readonly string[]; readonly exclude: readonly string[] },
  base: string,
): Promise<IndexSource> {
  const wanted = expandPath(path.trim(), base);
  const real = await realpath(wanted).catch(() => undefined);
  if (real === undefined) {
    throw new UserError(
      'path_not_found',
      `There is no folder or file ${brief(wanted, 300)}.`,
      'Pass the path of one that exists.',
    );
  }
  const info = await stat(real);
  if (isCredentialStore(real) || (info.isFile() && isSecretFile(basename(real)))) {
    throw new UserError(
      'credential_store',
      `${brief(wanted, 300)} holds keys or passwords, or is the operating system's own, and is never read.`,
      'Choose a folder of documents.',
    );
  }
  if (info.isDirectory() && (real === dirname(real) || real === homedir())) {
    throw new UserError(
      'too_wide',
      `${brief(wanted, 300)} is too wide to index whole.`,
      'Name the folders inside that matter.',
    );
  }
  if (!info.isDirectory() && !info.isFile()) {
    throw new UserError(
      'not_a_document',
      `${brief(wanted, 300)} is neither a folder nor a file.`,
      'Pass a folder or a file.',
    );
  }
  return { path: real, ...(include.length > 0 && { include: [...include] }), exclude: [...exclude] };
}
