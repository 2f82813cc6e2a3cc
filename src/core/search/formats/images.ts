import { basename } from 'node:path';
import { UserError } from '../../errors.ts';
import type { ImageRef } from '../document.ts';
import { inlinePicture } from './decode.ts';
import { readImageFile, tooLarge } from './image-file.ts';
import { imageType } from './image-type.ts';

/** A picture as the reader of a document would see it. */
export interface LoadedImage {
  readonly mime: string;
  readonly bytes: Uint8Array;
  /** Its caption and where it is from; for SVG, which models cannot be shown, its source as well. */
  readonly description: string;
  /** In pixels. */
  readonly width?: number;
  readonly height?: number;
}

/** The document that shows a picture: `path` absolute or relative to `folder`, the root of its knowledge base. */
export interface ImageSource {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly folder: string;
}

const maxBytes = 5 * 1024 * 1024;

/**
 * Loads a picture of a document: a file beside it, one embedded in it, or a page of it drawn. Nothing is fetched from
 * the network. Throws `UserError`: `remote_image`, `missing_image`, `outside_folder`, `too_large` (5 MB),
 * `unsupported_image`, or what opening the document throws.
 */
export async function loadImage(ref: ImageRef, document: ImageSource, signal?: AbortSignal): Promise<LoadedImage> {
  signal?.throwIfAborted();
  const bytes = await load(ref.locator, document, signal);
  if (bytes.length > maxBytes) throw tooLarge(shown(ref.locator), bytes.length, maxBytes);
  const type = imageType(bytes);
  if (!type) {
    throw new UserError(
      'unsupported_image',
      `${shown(ref.locator)} is no PNG, JPEG, GIF, WebP, BMP or SVG picture.`,
      'Read the text around the chunk instead.',
    );
  }
  const caption = [ref.alt, `(${shown(ref.locator)} in ${basename(document.path)})`].filter(Boolean).join(' ');
  if (type.mime !== 'image/svg+xml') return { ...type, bytes, description: caption };
  return { ...type, bytes, description: `${caption}\nSVG source:\n${Buffer.from(bytes).toString('utf8')}` };
}

async function load(locator: string, document: ImageSource, signal?: AbortSignal): Promise<Uint8Array> {
  const [, place, number] = /^(inline|page|image):(\d+)$/.exec(locator) ?? [];
  const index = Number(number);
  if (place === 'page') return (await (await import('./pdfium.ts')).drawPage(document.bytes, document.path, index)).png;
  if (place === 'inline') return found(inlinePicture(document.bytes, document.path, index), locator, document);
  if (place === 'image') {
    return found(await (await import('./docx.ts')).docxPicture(document, index, signal), locator, document);
  }
  if (/^cell:\d+\//.test(locator)) {
    return found((await import('./notebook-images.ts')).notebookPicture(document, locator), locator, document);
  }
  if (/^data:/i.test(locator)) return found(dataUrl(locator), locator, document);
  if (/^(?:[a-z][a-z0-9+.-]+:|\/\/)/i.test(locator)) {
    throw new UserError(
      'remote_image',
      `${shown(locator)} is on the network, and nothing is fetched from there.`,
      'Open the address yourself, or keep a copy of the picture beside the document.',
    );
  }
  return readImageFile(locator, document, maxBytes, signal);
}

function found(bytes: Uint8Array | undefined, locator: string, document: ImageSource): Uint8Array {
  if (bytes) return bytes;
  throw new UserError(
    'missing_image',
    `${basename(document.path)} has no picture ${shown(locator)}.`,
    'Search again: the document has changed since it was indexed.',
  );
}

function dataUrl(locator: string): Uint8Array | undefined {
  const comma = locator.indexOf(',');
  if (comma === -1) return undefined;
  const content = locator.slice(comma + 1);
  if (/;base64$/i.test(locator.slice(0, comma))) return Buffer.from(content, 'base64');
  try {
    return Buffer.from(decodeURIComponent(content));
  } catch {
    return undefined;
  }
}

/** A locator short enough for a message. */
function shown(locator: string): string {
  return locator.length > 120 ? `${locator.slice(0, 60)}…` : locator;
}
