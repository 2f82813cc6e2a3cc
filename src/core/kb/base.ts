/** One knowledge base as the worker sees it: a folder (or a single file) and what of it to take. */
export interface KnowledgeBase {
  /** Part of every `path_part_id`: `workspace` for the first workspace folder, else derived from the name. */
  readonly id: string;
  /** Shown as the root folder's name. */
  readonly name: string;
  /** Absolute path of the folder or file. */
  readonly root: string;
  /** Globs of files to take; undefined for every document the readers know. */
  readonly include?: readonly string[];
  /** Globs to leave out, besides .gitignore. */
  readonly exclude: readonly string[];
  /** Larger files are skipped and reported. */
  readonly maxBytes: number;
}

/** Ids of the knowledge bases that a caller may use; null for all of them. */
export type AllowedBases = readonly string[] | null;

/** Why a file is not in the index. */
export type SkipReason =
  | 'too_large'
  | 'binary'
  | 'damaged'
  | 'encrypted'
  | 'unreadable'
  | 'link_outside'
  | 'credential_store';

export interface SkippedFile {
  readonly path: string;
  readonly reason: SkipReason;
  /** One sentence for the person. */
  readonly detail: string;
  /** Set when a reader refused the file: it is not tried again until it changes. */
  readonly mtimeMs?: number;
}
