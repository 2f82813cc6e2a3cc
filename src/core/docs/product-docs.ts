import { join } from 'node:path';

/** Loci's own documentation as a knowledge base, from the packaged `media/` folder. */
export function productDocs(media: string) {
  return {
    id: 'product-docs',
    name: 'Loci documentation',
    root: join(media, 'docs'),
    exclude: [],
    maxBytes: 1_000_000,
  };
}
