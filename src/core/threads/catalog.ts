import * as z from 'zod';
import { digestSchema } from './digest.ts';

const stamp = { path: z.string(), size: z.number(), mtimeMs: z.number() };

/** A thread's file as it was indexed. */
const indexedSchema = z.object({
  ...stamp,
  digest: digestSchema,
  segments: z.array(z.object({ hash: z.string(), numbers: z.array(z.number()) })),
});

/** A file that could not be read: not tried again until it changes. */
const brokenSchema = z.object({ ...stamp, reason: z.string() });

const schema = z.object({ indexed: z.array(indexedSchema), broken: z.array(brokenSchema) });

export type IndexedFile = z.infer<typeof indexedSchema>;
export type BrokenFile = z.infer<typeof brokenSchema>;

/** What the index knows of each file, by path. */
export interface Catalog {
  readonly indexed: Map<string, IndexedFile>;
  readonly broken: Map<string, BrokenFile>;
}

export function createCatalog(json?: string): Catalog {
  const { indexed, broken } = json === undefined ? { indexed: [], broken: [] } : schema.parse(JSON.parse(json));
  return {
    indexed: new Map(indexed.map((file) => [file.path, file])),
    broken: new Map(broken.map((file) => [file.path, file])),
  };
}

export function catalogJson({ indexed, broken }: Catalog): string {
  return JSON.stringify({ indexed: [...indexed.values()], broken: [...broken.values()] });
}
