import * as z from 'zod';
import { defineTool } from '../tool.ts';

const LONGEST_SECONDS = 300;

export default defineTool({
  name: 'wait',
  title: 'Wait',
  description:
    'Pauses for up to 300 seconds, then returns. Use it when something outside makes progress (a build, a job, a service starting) and nothing will tell this chat when it is done: wait briefly, check its status, repeat for longer waits. Not for work that wakes the chat by itself: declare that with declare_goal_turn_status (awaiting_run or awaiting_agent) and end the turn. Not for a future time of day. The person can cancel it at once.',
  input: z.object({
    seconds: z.int().describe('Seconds to wait; held between 1 and 300.'),
    reason: z.string().nullable().default(null).describe('What is being waited for; comes back in the result.'),
  }),
  effect: 'read',
  limitMs: (LONGEST_SECONDS + 30) * 1000,
  async run({ seconds, reason }, { signal }) {
    const started = performance.now();
    await pause(Math.min(LONGEST_SECONDS, Math.max(1, seconds)) * 1000, signal);
    const waited = (performance.now() - started) / 1000;
    return {
      data: {
        waited_seconds: Math.round(waited * 10) / 10,
        reason,
        resumed_at: new Date().toISOString(),
        hint: `Check now whether ${reason === null ? 'the work' : `"${reason.slice(0, 200)}"`} has progressed, by its own status tool or what it prints.`,
        reminder:
          'If what you wait for wakes this chat itself, do not wait again: call declare_goal_turn_status (awaiting_run or awaiting_agent) and end your turn.',
      },
    };
  },
});

/** Resolves after the time; rejects at once when the call is cancelled. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const cancel = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', cancel);
      resolve();
    }, ms);
    signal.addEventListener('abort', cancel, { once: true });
  });
}
