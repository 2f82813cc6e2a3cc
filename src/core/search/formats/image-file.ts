import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname, relative, resolve, sep } from 'node:path';
import { UserError } from '../../errors.ts';

/** Where site generators keep what a document addresses from the site's root. */
const siteRoots = ['', 'static', 'public'];

/**
 * Reads the picture file that a document refers to, by a path relative to it or, with a leading `/`, to one of the
 * folders above it. It must lie within the knowledge base's `folder`, symbolic links resolved. Throws `UserError`
 * `missing_image`, `outside_folder` or, above `maxBytes`, `too_large`.
 */
export async function readImageFile(
  locator: string,
  document: { path: string; folder: string },
  maxBytes: number,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  const root = await realpath(document.folder);
  let outside = false;
  for (const candidate of candidates(locator, document)) {
    signal?.throwIfAborted();
    const file = await realpath(candidate).catch(() => undefined);
    if (file === undefined) continue;
    if (!isWithin(root, file)) {
      outside = true;
      continue;
    }
    const { size, regular } = await describe(file);
    if (!regular) continue;
    if (size > maxBytes) throw tooLarge(locator, size, maxBytes);
    return readFile(file, signal ? { signal } : {});
  }
  if (outside) {
    throw new UserError(
      'outside_folder',
      `The picture ${locator} lies outside the knowledge base and is not read.`,
      'Move it into the folder of the knowledge base.',
    );
  }
  throw new UserError(
    'missing_image',
    `The picture ${locator} in ${document.path} does not exist.`,
    'Read the text around the chunk instead; the document refers to a file that is gone or made by a build.',
  );
}

/** The error for a picture above the limit; sizes in bytes. */
export function tooLarge(locator: string, size: number, maxBytes: number): UserError {
  const megabytes = (bytes: number): string => (bytes / (1024 * 1024)).toFixed(1);
  return new UserError(
    'too_large',
    `The picture ${locator} has ${megabytes(size)} MB; at most ${megabytes(maxBytes)} MB can be shown.`,
    'Make a smaller copy of the picture, or read the text around it.',
  );
}

/** Paths to try. A `?` or `#` may begin a query or be part of a file's name, and so may `%20`. */
function* candidates(locator: string, { path, folder }: { path: string; folder: string }): Generator<string> {
  const plain = locator.replace(/[?#].*$/s, '');
  const names = new Set([decode(plain), plain, locator].map((name) => name.replaceAll('\\', '/')));
  const base = dirname(resolve(folder, path));
  for (const name of names) {
    if (name === '' || name.includes('\0')) continue;
    if (!name.startsWith('/')) yield resolve(base, name);
    else
      for (const above of foldersAbove(base, resolve(folder)))
        for (const site of siteRoots) yield resolve(above, site, `.${name}`);
  }
}

/** The knowledge base's folder first, then the folders between it and the document, outermost first. */
function foldersAbove(base: string, folder: string): string[] {
  if (!isWithin(folder, base)) return [folder];
  const steps = relative(folder, base).split(sep).filter(Boolean);
  return [folder, ...steps.map((_, index) => resolve(folder, ...steps.slice(0, index + 1)))];
}

function isWithin(folder: string, file: string): boolean {
  return file === folder || file.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function decode(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

async function describe(file: string): Promise<{ size: number; regular: boolean }> {
  const stats = await stat(file);
  return { size: stats.size, regular: stats.isFile() };
}
