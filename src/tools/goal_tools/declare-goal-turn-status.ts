import * as z from 'zod';
import { defineTool } from '../tool.ts';

const NEXT = {
  in_progress: 'Go on with the goal; declare again when the turn ends.',
  awaiting_run: 'End your turn now. Read the result when the run reports back or the person writes.',
  awaiting_agent: 'End your turn now. Read the result when the other agent reports back or the person writes.',
  awaiting_user: 'End your turn now with the question for the person.',
  blocked: 'End your turn now; tell the person what blocks the goal and what would unblock it.',
  complete: 'End your turn now with the outcome.',
} as const;

export default defineTool({
  name: 'declare_goal_turn_status',
  title: 'Declare how the turn ends',
  description:
    'Declares where the goal of this chat stands as your turn ends: in_progress, awaiting_run (a job or build that reports back), awaiting_agent (another agent that does), awaiting_user, blocked or complete. Use it when you would otherwise wait in a loop for work that wakes the chat by itself, and at the end of each turn of a longer goal: the person, and whoever takes up the chat, see what it waits for. Then end your turn. It records the declaration and starts nothing; for short polling of work that tells nobody use wait.',
  input: z.object({
    status: z
      .enum(['in_progress', 'awaiting_run', 'awaiting_agent', 'awaiting_user', 'blocked', 'complete'])
      .describe('Where the goal stands.'),
    summary: z.string().max(2000).default('').describe('One or two sentences: what is done and what remains.'),
    waiting_for: z
      .string()
      .max(500)
      .nullable()
      .default(null)
      .describe('The run, agent, answer or obstacle that is waited for.'),
  }),
  effect: 'state',
  async run(input, { goals, caller, signal }) {
    const declared = await goals.declare({ ...input, thread: caller.thread }, signal);
    const note = declared.recorded ? {} : { note: 'Not recorded: the caller does not say which chat this is.' };
    return { data: { ...declared, ...note, next_step: NEXT[input.status] } };
  },
});
