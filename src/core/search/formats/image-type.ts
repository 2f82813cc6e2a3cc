/** What the first bytes of a picture say it is; sizes in pixels, where the header has them in a fixed place. */
export interface ImageType {
  readonly mime: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'image/bmp' | 'image/svg+xml';
  readonly width?: number;
  readonly height?: number;
}

/** Tells a picture's type by its content, not its name; undefined if it is none of those known. */
export function imageType(bytes: Uint8Array): ImageType | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const ascii = (from: number, to: number): string => file.toString('latin1', from, to);
  if (ascii(0, 8) === '\x89PNG\r\n\x1a\n' && file.length >= 24) {
    return { mime: 'image/png', width: file.readUInt32BE(16), height: file.readUInt32BE(20) };
  }
  if (/^GIF8[79]a$/.test(ascii(0, 6)) && file.length >= 10) {
    return { mime: 'image/gif', width: file.readUInt16LE(6), height: file.readUInt16LE(8) };
  }
  if (ascii(0, 2) === 'BM' && file.length >= 26) {
    return { mime: 'image/bmp', width: Math.abs(file.readInt32LE(18)), height: Math.abs(file.readInt32LE(22)) };
  }
  if (ascii(0, 4) === 'RIFF' && ascii(8, 12) === 'WEBP') return { mime: 'image/webp', ...webpSize(file) };
  if (ascii(0, 3) === '\xff\xd8\xff') return { mime: 'image/jpeg', ...jpegSize(file) };
  const head = file.toString('utf8', 0, 4096);
  return /^\uFEFF?\s*</.test(head) && /<svg[\s>]/i.test(head) ? { mime: 'image/svg+xml' } : undefined;
}

/** The canvas size of an extended WebP file; the other two kinds pack it into bits. */
function webpSize(file: Buffer): { width?: number; height?: number } {
  if (file.toString('latin1', 12, 16) !== 'VP8X' || file.length < 30) return {};
  return { width: file.readUIntLE(24, 3) + 1, height: file.readUIntLE(27, 3) + 1 };
}

/** Walks the segments to the frame header, the one that has the size. */
function jpegSize(file: Buffer): { width?: number; height?: number } {
  for (let at = 2; at + 9 < file.length && file[at] === 0xff; at += 2 + file.readUInt16BE(at + 2)) {
    const marker = file[at + 1] ?? 0;
    const tables = marker === 0xc4 || marker === 0xc8 || marker === 0xcc;
    if (marker >= 0xc0 && marker <= 0xcf && !tables) {
      return { width: file.readUInt16BE(at + 7), height: file.readUInt16BE(at + 5) };
    }
  }
  return {};
}
