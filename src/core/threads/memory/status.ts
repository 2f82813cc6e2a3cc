import { estimateTokens } from '../../search/cut.ts';
import { brief } from '../../util/page.ts';
import { createCleaner } from '../clean.ts';
import { hiddenCount, isHidden, type Thread } from '../model.ts';
import { blocksOf } from './blocks.ts';
import { ownRange } from './hidden.ts';
import type { MemoryInput } from './input.ts';
import { projectedUsage, usageOf } from './usage.ts';

/** Compactions that are told one by one, the newest. */
const MOST_EVENTS = 10;

/** How full the thread's window is, what was compacted when, and what can be got back. */
export function memoryStatus(thread: Thread, { detailed_breakdown: detailed }: MemoryInput) {
  const cleaner = createCleaner();
  const hidden = hiddenCount(thread);
  const total = thread.compactions.length;
  const events = thread.compactions
    .map(({ id, time, trigger, boundary, tokensBefore, tokensAfter, model, summary }, index) => {
      const [start, end] = ownRange(thread.compactions, index);
      return {
        recovery_id: id,
        ...(time !== undefined && { time: new Date(time).toISOString() }),
        trigger,
        boundary,
        hidden_start_message_num: end < start ? null : start,
        hidden_end_message_num: end < start ? null : end,
        ...(tokensBefore !== undefined && { tokens_before: tokensBefore }),
        ...(tokensAfter !== undefined && { tokens_after: tokensAfter }),
        ...(model !== undefined && { model }),
        summary_tokens: estimateTokens(summary),
        summary_preview: brief(cleaner.clean(summary), 160),
      };
    })
    .slice(-MOST_EVENTS);
  return {
    action: 'GET_STATUS',
    thread_id: thread.id,
    title: brief(cleaner.clean(thread.title), 200),
    agent_id: thread.agents.at(-1) ?? null,
    source: thread.source,
    model: thread.model ?? null,
    usage: usageOf(thread),
    messages_total: thread.messages.length,
    messages_visible: thread.messages.length - hidden,
    messages_hidden: hidden,
    compression_history: {
      count: events.length,
      visible_event_count: events.length,
      total_event_count: total,
      events,
    },
    total_compressions: total,
    has_thread_compression_passes: total > 0,
    has_been_compressed: total > 0,
    compression_artifacts: artifacts(thread),
    ...(detailed && { projected_next_call: projectedUsage(thread) }),
    redacted: cleaner.redacted,
    ...(thread.warnings.length > 0 && { warnings: thread.warnings.slice(0, 5) }),
  };
}

function artifacts(thread: Thread) {
  const blocks = blocksOf(thread, () => '');
  const ofKind = (kind: string) => blocks.filter((block) => block.kind === kind).length;
  let chars = 0;
  let tokens = 0;
  for (const { number, text } of thread.messages) {
    if (!isHidden(thread, number)) continue;
    chars += text.length;
    tokens += estimateTokens(text);
  }
  return {
    recoverable_blocks: blocks.length,
    compactions: ofKind('compaction'),
    compressed_tool_results: ofKind('tool_result'),
    archived_params: ofKind('tool_arguments'),
    hidden_chars: chars,
    hidden_tokens_estimated: tokens,
  };
}
