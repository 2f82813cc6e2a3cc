import type { Digest } from './digest.ts';
import type { Coverage, Library } from './library.ts';
import type { ThreadFile } from './stores.ts';

export interface ListInput {
  /** Threads of subagents and background jobs too. */
  readonly include_hidden: boolean;
}

export interface ListedThread extends Digest {
  readonly place: ThreadFile['place'];
  readonly workspace?: string;
  readonly path: string;
}

/** Every thread that may be read, newest first, for a view. */
export function listThreads(
  library: Library,
  { include_hidden: all }: ListInput,
): { readonly threads: readonly ListedThread[]; readonly coverage: Coverage } {
  const threads = library.entries
    .filter(({ digest }) => all || !digest.background)
    .map(({ file: { place, workspace, path }, digest }) => ({
      ...digest,
      place,
      path,
      ...(workspace && { workspace }),
    }))
    .sort((a, b) => (b.updated ?? 0) - (a.updated ?? 0));
  return { threads, coverage: library.coverage() };
}
