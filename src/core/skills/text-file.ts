import { readFile, realpath, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { UserError } from '../errors.ts';
import { decodeText } from '../search/formats/decode.ts';
import { isCredentialStore, isInside, isSecretFile } from '../util/paths.ts';

export interface TextFile {
  /** LF line ends, no byte order mark, embedded pictures replaced. */
  readonly text: string;
  readonly byteOrderMark: boolean;
  /** What is not as in the file, one sentence each. */
  readonly warnings: readonly string[];
}

export interface TextFileLimits {
  /** Real path of the folder that the file, links resolved, must lie in; anywhere when left out. */
  readonly within?: string | undefined;
  readonly maxBytes: number;
  /** What the file is called in messages. */
  readonly shown: string;
}

/**
 * Reads a text file.
 * @throws UserError `not_found`, `not_a_file`, `link_outside`, `secret_file`, `too_large`, `binary` or `unreadable`.
 */
export async function readTextFile(path: string, { within, maxBytes, shown }: TextFileLimits): Promise<TextFile> {
  const real = await realpath(path).catch((error: NodeJS.ErrnoException) => {
    throw failure(error, shown);
  });
  if (within !== undefined && !isInside(within, real)) {
    throw new UserError(
      'link_outside',
      `${shown} is a symbolic link that leads outside its folder, and is not followed.`,
      'Put the file itself there.',
    );
  }
  if (isSecretFile(basename(path)) || isSecretFile(basename(real)) || isCredentialStore(real)) {
    throw new UserError(
      'secret_file',
      `${shown} has the name or place of a file that holds keys or passwords, and is never read.`,
      'A person can move what is no secret to a file of another name.',
    );
  }
  try {
    const info = await stat(real);
    if (!info.isFile()) {
      throw new UserError('not_a_file', `${shown} is no file.`, 'List the files to see what there is.');
    }
    if (info.size > maxBytes) {
      throw new UserError(
        'too_large',
        `${shown} has ${grouped(info.size)} bytes; at most ${grouped(maxBytes)} are read.`,
        'Split the file, or search it with another tool.',
      );
    }
    const bytes = await readFile(real);
    const { text, warnings } = decodeText(bytes, shown);
    const pictures = bytes.includes('data:image/') && text.includes('inline:0');
    return {
      text,
      byteOrderMark: bytes[0] === 0xef && bytes[1] === 0xbb,
      warnings: pictures
        ? [...warnings, 'Embedded pictures are left out: inline:0, inline:1, … stand for them.']
        : warnings,
    };
  } catch (error) {
    if (error instanceof UserError) throw error.code === 'binary' ? binary(shown) : error;
    throw failure(error as NodeJS.ErrnoException, shown);
  }
}

function binary(shown: string): UserError {
  return new UserError('binary', `${shown} holds binary data, not text.`, 'Read another file of the skill.');
}

function failure(error: NodeJS.ErrnoException, shown: string): UserError {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') {
    return new UserError('not_found', `There is no ${shown}.`, 'List the files to see what there is.');
  }
  const reason = error.code === 'EACCES' || error.code === 'EPERM' ? 'no permission' : error.message;
  return new UserError('unreadable', `${shown} cannot be read: ${reason}.`, 'Check the file and its permissions.');
}

function grouped(bytes: number): string {
  return bytes.toLocaleString('en');
}
