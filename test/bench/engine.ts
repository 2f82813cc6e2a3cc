import type { Doc } from './collection.ts';

/** A search engine as the bench sees it; each in `engines/`, at the settings that served it best. */
export interface Engine {
  readonly name: string;
  /** More documents than this would take it minutes; such a run is left out and the table says so. */
  readonly mostDocs?: number;
  build(docs: readonly Doc[]): Promise<Built>;
}

export interface Built {
  /** Ids of the best documents, best first. */
  search(query: string, limit: number): string[] | Promise<string[]>;
  /** Writes the index into an empty folder. */
  save(folder: string): Promise<void>;
  /** Loads it anew, to the point where it can be searched. */
  load(folder: string): Promise<Pick<Built, 'search'>>;
}
