import mammoth from 'mammoth';
import { UserError } from '../../errors.ts';
import type { Reader } from '../document.ts';
import { htmlDocument } from './html.ts';
import { checkZip } from './zip.ts';

/** Reads a Word document. Its pictures are places in it: `image:0`, `image:1`, … in the order of the text. */
export const readDocx: Reader = async ({ path, bytes }, signal) => {
  const html = await convert(path, bytes, async () => '', signal);
  return htmlDocument(html, []);
};

/** The picture that `readDocx` calls `image:<index>`, or undefined if there are not so many. */
export async function docxPicture(
  file: { path: string; bytes: Uint8Array },
  index: number,
  signal?: AbortSignal,
): Promise<Uint8Array | undefined> {
  let picture: Uint8Array | undefined;
  await convert(
    file.path,
    file.bytes,
    async (image, number) => {
      if (number === index) picture = await image.readAsBuffer();
    },
    signal,
  );
  return picture;
}

type Image = Parameters<Parameters<typeof mammoth.images.imgElement>[0]>[0];

async function convert(
  path: string,
  bytes: Uint8Array,
  visit: (image: Image, index: number) => Promise<unknown>,
  signal?: AbortSignal,
): Promise<string> {
  signal?.throwIfAborted();
  checkZip(bytes, path);
  let count = 0;
  const convertImage = mammoth.images.imgElement(async (image) => {
    const index = count++;
    await visit(image, index);
    return { src: `image:${index}` };
  });
  try {
    const { value } = await mammoth.convertToHtml(
      { buffer: Buffer.from(bytes) },
      { convertImage, externalFileAccess: false },
    );
    return value;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError(
      'damaged',
      `${path} cannot be read as a Word document: ${reason}`,
      'Open it in a word processor and save it again as .docx.',
    );
  } finally {
    signal?.throwIfAborted();
  }
}
