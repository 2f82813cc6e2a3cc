import { UserError } from '../../errors.ts';

/** A file's bytes as text: no BOM, LF line ends, well-formed Unicode, no embedded pictures. */
export interface Decoded {
  readonly text: string;
  readonly warnings: readonly string[];
}

const maxBytes = 256 * 1024 * 1024;
/** So few strange characters say nothing, even of a very short text. */
const fewOdd = 4;
const sniffedBytes = 64 * 1024;
const dataUrlHead = /data:image\/[\w.+-]{1,40};base64,/g;
/** Embedded pictures shorter than this stay in the text. */
const minPicture = 512;

/**
 * Decodes UTF-8, UTF-16 where a byte order mark says so, or Windows-1252 where no character beyond ASCII is UTF-8. Bytes
 * that are not valid become U+FFFD. Anything but valid UTF-8 and UTF-16 comes with a warning.
 * Embedded pictures (`data:` URLs of half a kilobyte or more) are replaced by `inline:0`, `inline:1`, … in their order.
 * Throws `UserError` `binary` when the bytes are no text, `too_large` above 256 MB.
 */
export function decodeText(bytes: Uint8Array, path: string): Decoded {
  const warnings: string[] = [];
  const raw = decodeRaw(bytes, path, warnings);
  const parts: string[] = [];
  let from = 0;
  for (const [index, picture] of [...embedded(raw)].entries()) {
    parts.push(raw.slice(from, picture.start), `inline:${index}`);
    from = picture.end;
  }
  parts.push(raw.slice(from));
  return { text: parts.join('').replace(/\r\n?/g, '\n'), warnings };
}

/** The embedded picture that `decodeText` replaced by `inline:<index>`, or undefined if there are not so many. */
export function inlinePicture(bytes: Uint8Array, path: string, index: number): Uint8Array | undefined {
  const raw = decodeRaw(bytes, path, []);
  const picture = [...embedded(raw)][index];
  return picture && Buffer.from(raw.slice(picture.data, picture.end), 'base64');
}

/** Spans of the embedded pictures; `data` is where the base64 text starts. Scans, because one may have many megabytes. */
function* embedded(raw: string): Generator<{ start: number; data: number; end: number }> {
  for (const head of raw.matchAll(dataUrlHead)) {
    const data = head.index + head[0].length;
    let end = data;
    while (isBase64(raw.charCodeAt(end))) end++;
    if (end - data >= minPicture) yield { start: head.index, data, end };
  }
}

function isBase64(unit: number): boolean {
  const letter = unit | 0x20;
  return (letter >= 0x61 && letter <= 0x7a) || (unit >= 0x2f && unit <= 0x39) || unit === 0x2b || unit === 0x3d;
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
  if (damaged && !encoding && !/[^\x00-\x7f\uFFFD]/.test(text)) {
    // Not one character beyond ASCII is UTF-8, so none was meant to be: an older Western European file.
    warnings.push('The file is not UTF-8 and was read as Windows-1252.');
    return new TextDecoder('windows-1252').decode(bytes).replaceAll('\0', '\uFFFD');
  }
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
  if (odd > fewOdd && odd * 10 > sample.length) {
    throw new UserError(
      'binary',
      `${path} holds binary data, not text.`,
      'Leave it out of the knowledge base, or give it the extension of its real format.',
    );
  }
}
