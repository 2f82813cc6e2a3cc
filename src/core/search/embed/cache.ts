import { createHash } from 'node:crypto';
import { type FileHandle, mkdir, open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Embedder } from '../engine.ts';

// One record: magic, 16 bytes of the text's SHA-256, the vector as little-endian floats, CRC-32 of key and vector.
const MAGIC = Buffer.from('LVEC');
const KEY_BYTES = 16;
const CRC_BYTES = 4;
const READ_BYTES = 4 * 1024 * 1024;
/** A cache file above this is begun anew: texts that are gone leave their vectors behind. */
const MOST_BYTES = 1024 ** 3;

export interface CachedEmbedder extends Embedder {
  dispose(): Promise<void>;
}

/**
 * Keeps document vectors of a slow model in `folder`, by content. The file is only ever appended to, a record at a time
 * and each with its checksum, so several processes may share it, and one killed midway leaves at most a record that
 * readers skip.
 */
export async function createCachedEmbedder(embedder: Embedder, folder: string): Promise<CachedEmbedder> {
  const { provider, model, dimensions } = embedder;
  const recordBytes = MAGIC.length + KEY_BYTES + dimensions * 4 + CRC_BYTES;
  await mkdir(folder, { recursive: true });
  const name = createHash('sha256')
    .update(JSON.stringify([provider, model, dimensions]))
    .digest('hex')
    .slice(0, 16);
  const path = join(folder, `${name}.vectors`);
  if (((await stat(path).catch(() => undefined))?.size ?? 0) > MOST_BYTES) await rm(path, { force: true });
  const file = await open(path, 'a+');
  /** Where each text's vector starts in the file. */
  const places = new Map<string, number>();
  let scanned = 0;

  /** Takes in what this or another process has appended since. */
  async function refresh(): Promise<void> {
    for (;;) {
      const bytes = await readAt(file, scanned, READ_BYTES + recordBytes);
      const used = scan(bytes);
      if (used === 0) return;
      scanned += used;
    }
  }

  /** Notes the whole records in `bytes`; returns how many bytes are done with, to be scanned no more. */
  function scan(bytes: Buffer): number {
    let at = 0;
    while (at + recordBytes <= bytes.length) {
      const start = bytes.indexOf(MAGIC, at);
      if (start < 0) return bytes.length - MAGIC.length + 1;
      if (start + recordBytes > bytes.length) return start;
      const body = bytes.subarray(start + MAGIC.length, start + recordBytes - CRC_BYTES);
      if (crc32(body) === bytes.readUInt32LE(start + recordBytes - CRC_BYTES)) {
        places.set(body.toString('base64', 0, KEY_BYTES), scanned + start + MAGIC.length + KEY_BYTES);
        at = start + recordBytes;
      } else {
        at = start + 1;
      }
    }
    return at;
  }

  async function load(key: string): Promise<Float32Array | undefined> {
    const place = places.get(key);
    if (place === undefined) return undefined;
    const bytes = await readAt(file, place, dimensions * 4);
    return bytes.length === dimensions * 4 ? new Float32Array(Uint8Array.from(bytes).buffer) : undefined;
  }

  function record(key: string, vector: Float32Array): Buffer {
    const body = Buffer.concat([
      Buffer.from(key, 'base64'),
      Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength),
    ]);
    const sum = Buffer.alloc(CRC_BYTES);
    sum.writeUInt32LE(crc32(body));
    return Buffer.concat([MAGIC, body, sum]);
  }

  return {
    ...embedder,
    async embed(texts, kind, signal) {
      if (kind === 'query') return embedder.embed(texts, kind, signal);
      await refresh();
      const keys = texts.map((text) => createHash('sha256').update(text).digest().toString('base64', 0, KEY_BYTES));
      const vectors = await Promise.all(keys.map(load));
      const missing = texts.flatMap((_, i) => (vectors[i] === undefined ? [i] : []));
      if (missing.length > 0) {
        const made = await embedder.embed(
          missing.map((i) => texts[i]!),
          kind,
          signal,
        );
        await file.appendFile(Buffer.concat(missing.map((i, n) => record(keys[i]!, made[n]!))));
        for (const [n, i] of missing.entries()) vectors[i] = made[n]!;
      }
      return vectors as Float32Array[];
    },
    dispose: () => file.close(),
  };
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}
