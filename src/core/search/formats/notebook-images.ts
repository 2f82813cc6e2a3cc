import { decodeText } from './decode.ts';
import { parseNotebook, pictureOf } from './notebook-cells.ts';

/** The picture at `cell:3/output:0` or `cell:3/attachment:a.png` of a notebook, or undefined if there is none. */
export function notebookPicture(file: { path: string; bytes: Uint8Array }, locator: string): Uint8Array | undefined {
  const [, cellNumber, kind, name = ''] = /^cell:(\d+)\/(output|attachment):(.+)$/s.exec(locator) ?? [];
  const cell = parseNotebook(decodeText(file.bytes, file.path).text, file.path).cells[Number(cellNumber)];
  if (!cell) return undefined;
  const picture =
    kind === 'output' ? pictureIn(cell.outputs[Number(name)]?.data) : pictureIn(cell.attachments[decode(name)]);
  if (!picture) return undefined;
  return Buffer.from(
    picture.content,
    picture.mime === 'image/svg+xml' && picture.content.includes('<') ? 'utf8' : 'base64',
  );
}

function pictureIn(data: unknown): ReturnType<typeof pictureOf> {
  return typeof data === 'object' && data !== null ? pictureOf({ data: data as Record<string, unknown> }) : undefined;
}

function decode(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
