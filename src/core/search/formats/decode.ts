import { UserError } from '../../errors.ts';

/** A file's bytes as text: no BOM, LF line ends, well-formed Unicode, no embedded pictures. */
export interface Decoded {
  readonly text: string;
  readonly warnings: readonly string[];
}

const maxBytes = 256 * 1024 * 1024;
const sniffedBytes = 64 * 1024;
const dataUrl = /data:(image\/[\w.+-]+);base64,([A-Za-z0-9+/=]{512,})/g;

/**
 * Decodes UTF-8, or UTF-16 where a byte order mark says so. Bytes that are not valid become U+FFFD, with a warning.
 * Embedded pictures (`data:` URLs of half a kilobyte or more) are replaced by `inline:0`, `inline:1`, … in their order.
 * Throws `UserError` `binary` when the bytes are no text, `too_large` above 256 MB.
 */
export function decodeText(bytes: Uint8Array, path: string): Decoded {
  const warnings: string[] = [];
  const raw = decodeRaw(bytes, path, warnings);
  let pictures = 0;
  const text = raw.replace(dataUrl, () => `inline:${pictures++}`).replace(/\r\n?/g, '\n');
  return { text, warnings };
}

/** The embedded picture that `decodeText` replaced by `inline:<index>`, or undefined if there are not so many. */
export function inlinePicture(bytes: Uint8Array, path: string, index: number): Uint8Array | undefined {
  let seen = 0;
  for (const match of decodeRaw(bytes, path, []).matchAll(dataUrl)) {
    if (seen++ === index) return Buffer.from(match[2] ?? '', 'base64');
  }
  return undefined;
}

function decodeRaw(bytes: Uint8Array, path: string, warnings: string[]): string {
  if (bytes.length > maxBytes) {
    throw new UserError(
      'too_large',
      `${path} is ${Math.round(bytes.length / 1e6)} MB; files above 256 MB are not read.`,
      'Split the file, or leave it out of the knowledge base.',
    );
  }
  const encoding = utf16(bytes);
  if (!encoding) refuseBinary(bytes, path);
  const text = new TextDecoder(encoding ?? 'utf-8').decode(bytes);
  const damaged = text.includes('\uFFFD') && !isValid(bytes, encoding ?? 'utf-8');
  if (damaged) warnings.push('Some bytes are not valid text and were replaced.');
  return text.replaceAll('\0', '\uFFFD');
}

function utf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return undefined;
}

function isValid(bytes: Uint8Array, encoding: string): boolean {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Judges by the first 64 KB: a NUL, or more than a tenth of control characters and invalid sequences, is no text. */
function refuseBinary(bytes: Uint8Array, path: string): void {
  // Streaming keeps a character that the sample's end cuts in two from counting as damage.
  const sample = new TextDecoder().decode(bytes.subarray(0, sniffedBytes), { stream: true });
  let odd = 0;
  for (let i = 0; i < sample.length; i++) {
    const unit = sample.charCodeAt(i);
    if (unit === 0) odd = Number.POSITIVE_INFINITY;
    else if (unit === 0xfffd || unit === 0x7f || (unit < 0x20 && !(unit >= 0x09 && unit <= 0x0d) && unit !== 0x1b))
      odd++;
  }
  if (odd * 10 > sample.length) {
    throw new UserError(
      'binary',
      `${path} holds binary data, not text.`,
      'Leave it out of the knowledge base, or give it the extension of its real format.',
    );
  }
}
