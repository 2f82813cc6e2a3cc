import { readFile } from 'node:fs/promises';
import { type PDFiumDocument, PDFiumLibrary } from '@hyzyla/pdfium';
import { encode } from 'fast-png';
import { UserError } from '../../errors.ts';
import { pdfiumWasmPath } from './wasm.ts';

/** A page drawn as PNG; sizes in pixels. */
export interface PagePicture {
  readonly png: Uint8Array;
  readonly width: number;
  readonly height: number;
}

const targetWidth = 1200;
/** Bounds what one picture takes: a page may be a kilometre wide, or a thousandth of an inch. */
const maxPixels = 4_000_000;

/** Draws one page, counted from 1, about 1,200 pixels wide. Throws `UserError` when there is no such page. */
export async function drawPage(bytes: Uint8Array, path: string, page: number): Promise<PagePicture> {
  return withDocument(bytes, path, async (document) => {
    if (!(page >= 1 && page <= document.getPageCount())) {
      throw new UserError('not_found', `${path} has no page ${page}.`, 'Search again: the file has changed.');
    }
    const sheet = document.getPage(page - 1);
    const { originalWidth, originalHeight } = sheet.getOriginalSize();
    const area = Math.max(1, originalWidth) * Math.max(1, originalHeight);
    const scale = Math.min(targetWidth / Math.max(1, originalWidth), Math.sqrt(maxPixels / area));
    const { data, width, height } = await sheet.render({ scale, render: 'bitmap' });
    return { png: encode({ width, height, data, channels: 4 }), width, height };
  });
}

/** The pages, counted from 1, of the first `limit` that show a picture. */
export async function pagesWithPictures(bytes: Uint8Array, path: string, limit: number): Promise<Set<number>> {
  return withDocument(bytes, path, async (document) => {
    const found = new Set<number>();
    for (let index = 0; index < Math.min(limit, document.getPageCount()); index++) {
      for (const { type } of document.getPage(index).objects()) {
        if (type !== 'image') continue;
        found.add(index + 1);
        break;
      }
    }
    return found;
  });
}

let library: Promise<PDFiumLibrary> | undefined;

async function withDocument<Result>(
  bytes: Uint8Array,
  path: string,
  use: (document: PDFiumDocument) => Promise<Result>,
): Promise<Result> {
  library ??= readFile(pdfiumWasmPath()).then(({ buffer, byteOffset, byteLength }) =>
    PDFiumLibrary.init({ wasmBinary: buffer.slice(byteOffset, byteOffset + byteLength) }),
  );
  let document: PDFiumDocument | undefined;
  try {
    document = await (await library).loadDocument(bytes);
    return await use(document);
  } catch (error) {
    if (error instanceof UserError) throw error;
    // After a trap the WebAssembly instance is in no state to be used again.
    if (error instanceof Error && error.name === 'RuntimeError') library = document = undefined;
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError('damaged', `${path} cannot be drawn: ${reason}`, 'Open it in a PDF viewer and save it again.');
  } finally {
    document?.destroy();
  }
}
