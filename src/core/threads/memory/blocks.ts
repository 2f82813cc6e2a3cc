import { brief, PAGE_BYTES, page } from '../../util/page.ts';
import { createCleaner } from '../clean.ts';
import { isHidden, type Thread } from '../model.ts';
import { archiveRef } from '../view.ts';
import { callsOf } from './calls.ts';
import { ownRange } from './hidden.ts';
import type { MemoryInput } from './input.ts';

/** Arguments above this are worth an entry of their own. */
const LONG_ARGUMENTS = 400;
interface Block {
  readonly kind: 'compaction' | 'tool_result' | 'tool_arguments';
  /** What RECOVER takes. */
  readonly handle: string;
  /** 1 for the first compaction; the last one is what the model sees. */
  readonly layer: number;
  readonly [field: string]: unknown;
}

/**
 * What can be recovered: each compaction, the tool results it hides and their long arguments, as many as an answer
 * holds from `hidden_offset` on. Without `include_nested`, of the last compaction only: those inside it are counted.
 */
export function recoverableBlocks(thread: Thread, input: MemoryInput) {
  const cleaner = createCleaner();
  const all = blocksOf(thread, (text) => brief(cleaner.clean(text), 300));
  const last = thread.compactions.length;
  const shown = input.include_nested ? all : all.filter(({ layer }) => layer === last);
  const whole = { limit: shown.length, offset: input.hidden_offset };
  const { items, pagination } = page(shown, whole, (block) => block, PAGE_BYTES - 600);
  const nested = all.length - shown.length;
  return {
    action: 'LIST_RECOVERABLE_BLOCKS',
    thread_id: thread.id,
    blocks: items,
    total: shown.length,
    layers: last,
    ...(nested > 0 && {
      nested_blocks: nested,
      note: `${nested} more lie in earlier compactions: pass include_nested=true.`,
    }),
    ...(last === 0 && { note: 'This thread has not been compacted: the model sees all of it.' }),
    has_more: pagination.has_more,
    /** Pass as hidden_offset. */
    next_offset: pagination.next_offset,
    redacted: cleaner.redacted,
  };
}

/** Every block, the last compaction's first. */
export function blocksOf(thread: Thread, preview: (text: string) => string): Block[] {
  const calls = callsOf(thread);
  return thread.compactions
    .map((compaction, index): Block[] => {
      const [start, end] = ownRange(thread.compactions, index);
      const layer = index + 1;
      const head: Block = {
        kind: 'compaction',
        handle: compaction.id,
        recovery_id: compaction.id,
        layer,
        start_message_num: end < start ? null : start,
        end_message_num: end < start ? null : end,
        messages: thread.messages.slice(start - 1, end).filter(({ number }) => isHidden(thread, number)).length,
        trigger: compaction.trigger,
        boundary: compaction.boundary,
        ...(compaction.time !== undefined && { time: new Date(compaction.time).toISOString() }),
        nested: thread.compactions.slice(0, index).map(({ id }) => id),
        summary_preview: preview(compaction.summary),
      };
      const inside = calls.flatMap(({ call, made, result }): Block[] => {
        const number = result?.number ?? made!;
        if (number < start || number > end || !isHidden(thread, number)) return [];
        const about = { layer, tool_name: call.name, tool_call_id: call.id, message_index: made ?? number };
        const entries: Block[] = [];
        if (result !== undefined) {
          const place = { result_message_index: result.number, chars: result.text.length };
          entries.push({ kind: 'tool_result', handle: call.id, ...about, ...place });
        }
        if (call.arguments.length > LONG_ARGUMENTS) {
          const ref = archiveRef(call.id);
          entries.push({
            kind: 'tool_arguments',
            handle: ref,
            archive_ref: ref,
            ...about,
            chars: call.arguments.length,
          });
        }
        return entries;
      });
      return [head, ...inside];
    })
    .reverse()
    .flat();
}
