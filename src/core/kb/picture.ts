import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '../errors.ts';
import type { ImageRef } from '../search/document.ts';
import type { ImageSource, LoadedImage } from '../search/formats/images.ts';
import { brief, PAGE_BYTES } from '../util/page.ts';
import { headingPath, idOf, type Node } from './nodes.ts';

export interface PictureResult {
  readonly path_part_id: string;
  readonly path: string;
  readonly section?: string;
  /** One a picture, in the order of the pictures themselves. */
  readonly descriptions: string[];
  readonly pictures: { mime: string; bytes: Uint8Array; width?: number; height?: number }[];
  /** Pictures of the chunk that could not be shown, and why. */
  readonly problems?: string[];
}

/** Pictures one call shows at most. */
const MOST = 4;

type LoadImage = (ref: ImageRef, document: ImageSource, signal?: AbortSignal) => Promise<LoadedImage>;

/**
 * The pictures a chunk shows; of a PDF chunk without a figure, its page.
 * @throws UserError `not_a_chunk`, `no_image`, or what loading the only picture throws.
 */
export async function pictureOf(node: Node, load: LoadImage, signal?: AbortSignal): Promise<PictureResult> {
  if (node.kind !== 'CHUNK') {
    throw new UserError(
      'not_a_chunk',
      `view_chunk_image takes a chunk; this id is a ${node.kind.toLowerCase()}.`,
      `Call ${node.kind === 'FOLDER' ? 'list_contents' : 'read'} with path_part_id ${idOf(node)} and take a chunk that has images.`,
    );
  }
  const { shelf, record, chunk } = node;
  const meta = record.document.chunks[chunk]!;
  const refs =
    meta.images ?? (meta.page === undefined ? [] : [{ locator: `page:${meta.page}`, alt: `Page ${meta.page}` }]);
  if (refs.length === 0) throw withoutImage(node);
  const bytes = await readFile(join(shelf.root, record.path));
  const descriptions: string[] = [];
  const pictures: PictureResult['pictures'] = [];
  const problems: string[] = [];
  for (const ref of refs.slice(0, MOST)) {
    try {
      const image = await load(ref, { path: record.path, bytes, folder: shelf.root }, signal);
      // The editor shows models no vector pictures: the source goes along as text.
      descriptions.push(brief(image.description, Math.floor((PAGE_BYTES - 1500) / Math.min(refs.length, MOST))));
      if (image.mime === 'image/svg+xml') continue;
      const size = image.width && image.height ? { width: image.width, height: image.height } : {};
      pictures.push({ mime: image.mime, bytes: image.bytes, ...size });
    } catch (error) {
      if (!(error instanceof UserError) || refs.length === 1) throw error;
      problems.push(brief(`${error.message} ${error.next}`, 300));
    }
  }
  if (refs.length > MOST) problems.push(`${refs.length - MOST} more pictures of this chunk are left out.`);
  const section = headingPath(record, chunk);
  return {
    path_part_id: idOf(node),
    path: brief(record.path, 600),
    ...(section && { section }),
    descriptions,
    pictures,
    ...(problems.length > 0 && { problems }),
  };
}

function withoutImage({ shelf, record }: Extract<Node, { kind: 'CHUNK' }>): UserError {
  const others = record.document.chunks.flatMap((other, index) =>
    other.images ? [idOf({ kind: 'CHUNK', shelf, record, chunk: index })] : [],
  );
  const next =
    others.length === 0
      ? 'Its text is all there is: call read_around.'
      : `Chunks of ${brief(record.path, 600)} with pictures: ${others.slice(0, 5).join(', ')}.`;
  return new UserError('no_image', 'This chunk shows no picture.', next);
}
