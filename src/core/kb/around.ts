import { UserError } from '../errors.ts';
import { brief, jsonBytes, PAGE_BYTES } from '../util/page.ts';
import { type ChunkView, chunkTokens, chunkView, sum } from './content.ts';
import { idOf, type Node } from './nodes.ts';

export interface AroundResult {
  readonly path: string;
  readonly anchor_id: string;
  /** Place of the anchor in `chunks`, from 0. */
  readonly anchor_position: number;
  readonly chunks: ChunkView[];
  /** True when `chunks` is the anchor's whole section. */
  readonly full_section: boolean;
  readonly section_id: string;
  /** Chunks of the asked window that did not fit, on either side; read them by `previous_id` and `next_id`. */
  readonly omitted?: { readonly before: number; readonly after: number };
  /** Chunk before the first returned and after the last, if the document has them. */
  readonly previous_id: string | null;
  readonly next_id: string | null;
}

/** What a result's ids take. */
const IDS_BYTES = 350;

/**
 * A chunk with its neighbours: the whole section when it fits the token budget, else `window` chunks on each side.
 * @throws UserError `not_a_chunk` for another node.
 */
export async function readAround(node: Node, window: number, tokenBudget: number): Promise<AroundResult> {
  if (node.kind !== 'CHUNK') {
    throw new UserError(
      'not_a_chunk',
      `read_around takes a chunk; this id is a ${node.kind.toLowerCase()}.`,
      `Call ${node.kind === 'FOLDER' ? 'list_contents' : 'read'} with path_part_id ${idOf(node)}.`,
    );
  }
  const { shelf, record, chunk } = node;
  const { chunks, sections } = record.document;
  const tokens = await chunkTokens(shelf, record);
  const section = sections[chunks[chunk]!.section]!;
  const path = brief(record.path, 600);
  const room = PAGE_BYTES - jsonBytes(path) - IDS_BYTES;
  const view = (index: number) => chunkView(shelf, record, index, { maxBytes: room });
  const anchor = view(chunk);
  const wholeSection = sum(tokens, section.firstChunk, section.endChunk) <= tokenBudget;
  const first = wholeSection ? section.firstChunk : Math.max(0, chunk - window);
  const end = wholeSection ? section.endChunk : Math.min(chunks.length, chunk + window + 1);

  // Grows from the anchor outwards in turns, so that what must be left out is what lies farthest.
  const shown = [anchor];
  let bytes = jsonBytes(anchor);
  let low = chunk;
  let high = chunk + 1;
  let stuckBefore = false;
  let stuckAfter = false;
  const tryAdd = (index: number, place: 'before' | 'after'): boolean => {
    const next = view(index);
    const size = jsonBytes(next) + 1;
    if (bytes + size > room) return false;
    bytes += size;
    if (place === 'before') shown.unshift(next);
    else shown.push(next);
    return true;
  };
  while ((low > first && !stuckBefore) || (high < end && !stuckAfter)) {
    if (high < end && !stuckAfter) {
      if (tryAdd(high, 'after')) high++;
      else stuckAfter = true;
    }
    if (low > first && !stuckBefore) {
      if (tryAdd(low - 1, 'before')) low--;
      else stuckBefore = true;
    }
  }
  const omitted = { before: low - first, after: end - high };
  const idAt = (index: number) => (chunks[index] ? idOf({ kind: 'CHUNK', shelf, record, chunk: index }) : null);
  return {
    path,
    anchor_id: anchor.path_part_id,
    anchor_position: chunk - low,
    chunks: shown,
    full_section: low === section.firstChunk && high === section.endChunk,
    section_id: idOf({ kind: 'SECTION', shelf, record, section: chunks[chunk]!.section }),
    ...((omitted.before > 0 || omitted.after > 0) && { omitted }),
    previous_id: idAt(low - 1),
    next_id: idAt(high),
  };
}
