import { mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { errorText, UserError } from '../errors.ts';

type Numbers = Uint8Array | Uint16Array | Uint32Array | Float32Array;

/** Named flat arrays, each saved as one file of raw little-endian numbers. */
export type Shards = ReadonlyMap<string, Numbers>;

interface Manifest {
  readonly format: number;
  readonly about: unknown;
  readonly shards: Readonly<Record<string, { bytes: number; crc32: number }>>;
}

const MANIFEST = 'index.json';
// Changes with whatever makes an older index wrong: the files' layout, the tokenizer, the fields.
const FORMAT = 1;

/** Writes every shard, then the manifest with their checksums, into `folder`; all is on disk when it resolves. */
export async function writeShards(folder: string, shards: Shards, about: unknown): Promise<void> {
  await mkdir(folder, { recursive: true });
  const listed: Record<string, { bytes: number; crc32: number }> = {};
  for (const [name, array] of shards) {
    const bytes = asBytes(array);
    listed[name] = { bytes: bytes.length, crc32: crc32(bytes) };
    await writeDurably(join(folder, name), bytes);
  }
  const body = JSON.stringify({ format: FORMAT, about, shards: listed } satisfies Manifest);
  await writeDurably(join(folder, MANIFEST), Buffer.from(`${body}\n${crc32(body)}`));
}

/** Reads what `writeShards` wrote. Throws `UserError` (`damaged_index`) unless every byte is as it was written. */
export async function readShards(folder: string): Promise<{ about: unknown; bytes(name: string): Uint8Array }> {
  try {
    const [body, sum] = (await readFile(join(folder, MANIFEST), 'utf8')).split('\n');
    if (body === undefined || String(crc32(body)) !== sum) throw new Error(`${MANIFEST} fails its checksum`);
    const manifest = JSON.parse(body) as Manifest;
    if (manifest.format !== FORMAT) throw new Error(`format ${manifest.format}, not ${FORMAT}`);
    const loaded = new Map<string, Uint8Array>();
    for (const [name, { bytes, crc32: expected }] of Object.entries(manifest.shards)) {
      const read = await readAligned(join(folder, name));
      if (read.length !== bytes || crc32(read) !== expected) throw new Error(`${name} fails its checksum`);
      loaded.set(name, read);
    }
    return {
      about: manifest.about,
      bytes(name) {
        const found = loaded.get(name);
        if (found === undefined) throw damaged(folder, `${name} is missing`);
        return found;
      },
    };
  } catch (error) {
    throw error instanceof UserError ? error : damaged(folder, errorText(error).split('\n')[0]!);
  }
}

function damaged(folder: string, reason: string): UserError {
  return new UserError(
    'damaged_index',
    `The search index in ${folder} cannot be used: ${reason}.`,
    'Rebuild the index.',
  );
}

function asBytes(array: Numbers): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx');
  try {
    await file.writeFile(bytes);
    await file.datasync();
  } finally {
    await file.close();
  }
}

/** Reads a file into a buffer of its own, so that its numbers are aligned. */
async function readAligned(path: string): Promise<Uint8Array> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const bytes = new Uint8Array(size);
    let done = 0;
    while (done < size) {
      const { bytesRead } = await file.read(bytes, done, size - done, done);
      if (bytesRead === 0) break;
      done += bytesRead;
    }
    return bytes.subarray(0, done);
  } finally {
    await file.close();
  }
}
