import { estimateTokens } from '../../search/cut.ts';
import { isHidden, type MeasuredUsage, type Message, type Thread, type UsageBucket } from '../model.ts';

export interface Usage {
  /** `measured` by the model's provider in its last call; `estimated` where that is out of date or was not stored. */
  readonly basis: 'measured' | 'estimated';
  readonly used_tokens: number;
  readonly window_tokens: number | null;
  /** Of the window, to one decimal; null where the window is not known. */
  readonly usage_percentage: number | null;
  readonly buckets: readonly (UsageBucket & { readonly percentage: number })[];
  readonly output_tokens?: number;
  /** Number of the last message of the call that was measured. */
  readonly measured_at_message?: number;
  readonly note?: string;
}

/** How full the model's window is. */
export function usageOf(thread: Thread): Usage {
  const { usage, compactions, window } = thread;
  const hiddenTo = compactions.at(-1)?.hiddenTo ?? 0;
  if (usage === undefined || usage.message <= hiddenTo) {
    const note =
      usage === undefined
        ? 'The store keeps no measure of this thread; tokens are estimated from its text.'
        : 'The thread was compacted after its last measured call; tokens are estimated from what is left.';
    return { ...projectedUsage(thread), note };
  }
  return {
    ...shares('measured', usage.promptTokens, window, usage.buckets),
    ...(usage.outputTokens !== undefined && { output_tokens: usage.outputTokens }),
    measured_at_message: usage.message,
  };
}

/** What the next call would send: instructions and tools as last measured, the summary, and the visible messages. */
export function projectedUsage(thread: Thread): Usage {
  const buckets = [...overhead(thread.usage)];
  const summary = thread.compactions.at(-1)?.summary;
  if (summary) buckets.push({ name: 'Conversation summary', tokens: estimateTokens(summary) });
  const visible = thread.messages.filter(({ number }) => !isHidden(thread, number));
  const said = (role: Message['role']) =>
    visible.reduce((sum, message) => sum + (message.role === role ? estimateTokens(message.text) : 0), 0);
  const calls = visible
    .flatMap((message) => message.calls ?? [])
    .reduce((sum, call) => sum + estimateTokens(call.arguments), 0);
  buckets.push(
    { name: 'User messages', tokens: said('user') + said('system') },
    { name: 'Assistant messages', tokens: said('assistant') },
    { name: 'Tool calls', tokens: calls },
    { name: 'Tool results', tokens: said('tool') },
  );
  const total = buckets.reduce((sum, { tokens }) => sum + tokens, 0);
  return shares('estimated', total, thread.window, buckets);
}

/** Buckets that do not depend on what was said. */
export function overhead(usage: MeasuredUsage | undefined): readonly UsageBucket[] {
  return (usage?.buckets ?? []).filter(({ name }) => /system|tool def/i.test(name));
}

function shares(
  basis: Usage['basis'],
  used: number,
  window: number | undefined,
  buckets: readonly UsageBucket[],
): Usage {
  return {
    basis,
    used_tokens: used,
    window_tokens: window ?? null,
    usage_percentage: window ? percent(used, window) : null,
    buckets: buckets.map((bucket) => ({ ...bucket, percentage: percent(bucket.tokens, used) })),
  };
}

function percent(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 1000) / 10;
}
