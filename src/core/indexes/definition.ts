import * as z from 'zod';

/** One place that a document index takes documents from. */
const Source = z.object({
  /** Absolute path of a folder or file. */
  path: z.string(),
  /** Globs of the files to take; every document when left out. */
  include: z.array(z.string()).exactOptional(),
  exclude: z.array(z.string()),
});

/** A document index as its file keeps it. */
export const IndexFile = z.object({
  version: z.literal(1),
  id: z.string().regex(/^[a-z0-9]{12}$/),
  name: z.string().min(1).max(64),
  description: z.string(),
  sources: z.array(Source).min(1),
  /** UTC, ISO 8601. */
  created_at: z.string(),
});

export type IndexDefinition = z.output<typeof IndexFile>;
export type IndexSource = z.output<typeof Source>;

/** Marks the knowledge bases of document indexes: `index:<id>`, and `index:<id>~2` for a second source. */
export function baseIdOf({ id }: Pick<IndexDefinition, 'id'>, source: number): string {
  return source === 0 ? `index:${id}` : `index:${id}~${source + 1}`;
}

/** What each source of an index is called: the index's name, with the folder's where there are several. */
export function baseNameOf({ name, sources }: IndexDefinition, source: number): string {
  const path = sources[source]!.path.replace(/[/\\]+$/, '');
  return sources.length === 1
    ? name
    : `${name}: ${path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)}`;
}
