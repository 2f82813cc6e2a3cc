import type { SemanticStatus } from '../search/engine.ts';
import { brief } from '../util/page.ts';
import type { SkippedFile, SkipReason } from './base.ts';
import type { Shelf } from './shelf.ts';

/** What `index_status` says in every answer. */
export interface IndexStatus {
  /** `partial`: some files are not read yet; `stale`: the saved index is being compared with the files. */
  readonly status: 'ready' | 'partial' | 'stale' | 'unavailable';
  readonly documents: number;
  readonly chunks: number;
  /** Files still to be read; absent when none, or when the folder is still being listed. */
  readonly pending_files?: number;
  /** Files left out, by reason; the command "Loci: Show Index Status" and `loci index` name them. */
  readonly skipped?: Partial<Record<SkipReason, number>>;
  readonly reason?: string;
}

export interface Status {
  readonly index_status: IndexStatus;
  readonly semantic_index: SemanticStatus;
}

/** `limited`: an agent asks that has only some of the bases. */
export function statusOf(shelves: readonly Shelf[], semantic: SemanticStatus, limited = false): Status {
  const documents = shelves.reduce((count, shelf) => count + shelf.catalog.files.size, 0);
  const chunks = shelves.reduce((count, shelf) => count + shelf.store.chunks, 0);
  const skipped = countReasons(shelves.flatMap((shelf) => [...shelf.catalog.skipped.values()]));
  const head = { documents, chunks };
  const tail = skipped && { skipped };
  if (shelves.length === 0) {
    return {
      index_status: {
        status: 'unavailable',
        ...head,
        reason: limited
          ? 'No knowledge base is assigned to this agent.'
          : 'No folder is open and no knowledge base is set: open a folder, or set loci.knowledgeBases.',
      },
      semantic_index: semantic,
    };
  }
  const failures = shelves.flatMap((shelf) => shelf.failure ?? []);
  const failed = brief(failures.join(' '), 300);
  const working = shelves.flatMap((shelf) => shelf.progress ?? []);
  const pending = working.reduce((count, { done, total }) => count + total - done, 0);
  if (failures.length === shelves.length) {
    return { index_status: { status: 'unavailable', ...head, reason: failed }, semantic_index: semantic };
  }
  if (working.length > 0) {
    const listing = pending === 0;
    const status = listing && documents > 0 ? 'stale' : 'partial';
    const reason = listing
      ? 'The files are being compared with the index.'
      : `${pending} files are still to be read; ask again in a moment for complete results.`;
    return {
      index_status: { status, ...head, ...(!listing && { pending_files: pending }), ...tail, reason },
      semantic_index: semantic,
    };
  }
  if (failures.length > 0) {
    return {
      index_status: { status: 'partial', ...head, ...tail, reason: failed },
      semantic_index: semantic,
    };
  }
  return { index_status: { status: 'ready', ...head, ...tail }, semantic_index: semantic };
}

function countReasons(skipped: readonly SkippedFile[]): Partial<Record<SkipReason, number>> | undefined {
  if (skipped.length === 0) return undefined;
  const counts: Partial<Record<SkipReason, number>> = {};
  for (const { reason } of skipped) counts[reason] = (counts[reason] ?? 0) + 1;
  return counts;
}
