import { crc32, inflateRawSync } from 'node:zlib';
import { UserError } from '../../errors.ts';

const endOfDirectory = 0x06054b50;
const directoryEntry = 0x02014b50;
const localHeader = 0x04034b50;
/** A ZIP file's comment, which its last record ends with, has at most 64 KB. */
const maxTail = 65_557;
const maxEntries = 10_000;
const maxUnpacked = 256 * 1024 * 1024;

/**
 * Checks that a ZIP archive is whole and unpacks to no more than it says and 256 MB in all, so that it can be handed to
 * a library that trusts it. Throws `UserError` `damaged` or `too_large`.
 */
export function checkZip(bytes: Uint8Array, path: string): void {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    checkEntries(file, path);
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw damaged(path);
  }
}

function checkEntries(file: Buffer, path: string): void {
  const end = endRecord(file);
  if (end === -1) throw damaged(path);
  const count = file.readUInt16LE(end + 10);
  if (count > maxEntries) throw tooLarge(path);
  let unpacked = 0;
  for (let index = 0, at = file.readUInt32LE(end + 16); index < count; index++) {
    if (file.readUInt32LE(at) !== directoryEntry) throw damaged(path);
    const size = file.readUInt32LE(at + 24);
    unpacked += size;
    if (unpacked > maxUnpacked) throw tooLarge(path);
    checkEntry(file, at, size, path);
    at += 46 + file.readUInt16LE(at + 28) + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32);
  }
}

function endRecord(file: Buffer): number {
  for (let at = file.length - 22; at >= Math.max(0, file.length - maxTail); at--) {
    if (file.readUInt32LE(at) === endOfDirectory) return at;
  }
  return -1;
}

/** Unpacks one entry, at most to the size the directory gives for it, and compares the checksum. */
function checkEntry(file: Buffer, at: number, size: number, path: string): void {
  const encrypted = (file.readUInt16LE(at + 8) & 1) === 1;
  const method = file.readUInt16LE(at + 10);
  const local = file.readUInt32LE(at + 42);
  if (encrypted || file.readUInt32LE(local) !== localHeader) throw damaged(path);
  const start = local + 30 + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28);
  const packed = file.subarray(start, start + file.readUInt32LE(at + 20));
  const content = method === 0 ? packed : inflateRawSync(packed, { maxOutputLength: Math.max(1, size) });
  if (content.length !== size || crc32(content) !== file.readUInt32LE(at + 16)) throw damaged(path);
}

function damaged(path: string): UserError {
  return new UserError(
    'damaged',
    `${path} is damaged: it is no whole ZIP archive.`,
    'Open it in its program and save it again.',
  );
}

function tooLarge(path: string): UserError {
  return new UserError('too_large', `${path} unpacks to more than 256 MB or 10,000 parts.`, 'Split the document.');
}
