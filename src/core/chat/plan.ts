import type { History } from './history.ts';

/** What a compaction hides: everything up to `hiddenTo` but for `kept`. */
export interface Plan {
  readonly hiddenTo: number;
  /** Numbers up to `hiddenTo` that stay visible. */
  readonly kept: readonly number[];
  /** Numbers that are visible now and will not be. */
  readonly hides: readonly number[];
}

interface PlanInput {
  readonly history: History;
  /** Tokens of each message, by number - 1. */
  readonly tokens: readonly number[];
  /** Tokens that the visible messages may take afterwards. */
  readonly room: number;
  /** Names of skills whose text stays whole. */
  readonly neverCompress: readonly string[];
}

/** Results shorter than this are not worth a handle in their place. */
const SHORT_RESULT = 100;

/**
 * V6: hides the oldest messages, a call together with its results, until the rest fits. The person's last message and the
 * last step stay. Undefined when there is nothing to hide.
 */
export function planOldest(input: PlanInput): Plan | undefined {
  const { history, tokens, room } = input;
  const steps = stepsOf(history);
  const lastAsked = history.messages.findLastIndex(({ role }) => role === 'user') + 1;
  const lastStep = steps.at(-1)?.numbers ?? [];
  const stays = (number: number) => number === lastAsked || lastStep.includes(number) || isKeptSkill(input, number);
  let left = sum(visible(history), tokens);
  let hiddenTo = 0;
  for (const { last, numbers } of steps.slice(0, -1)) {
    if (left <= room) break;
    left -= sum(
      numbers.filter((number) => !stays(number)),
      tokens,
    );
    hiddenTo = Math.max(hiddenTo, last);
  }
  return planOf(history, (number) => number > hiddenTo || stays(number));
}

/** V3: hides tool results one by one, the largest first, until the rest fits or none is left. The last step's stay. */
export function planResults(input: PlanInput): Plan | undefined {
  const { history, tokens, room } = input;
  const lastStep = new Set(stepsOf(history).at(-1)?.numbers);
  const candidates = visible(history)
    .filter((number) => history.messages[number - 1]!.role === 'tool' && tokens[number - 1]! > SHORT_RESULT)
    .filter((number) => !lastStep.has(number) && !isKeptSkill(input, number))
    .sort((a, b) => tokens[b - 1]! - tokens[a - 1]!);
  let left = sum(visible(history), tokens);
  const hides = new Set<number>();
  for (const number of candidates) {
    if (left <= room) break;
    left -= tokens[number - 1]! - SHORT_RESULT;
    hides.add(number);
  }
  return planOf(history, (number) => !hides.has(number));
}

function planOf(history: History, stays: (number: number) => boolean): Plan | undefined {
  const seen = visible(history);
  const hides = seen.filter((number) => !stays(number));
  if (hides.length === 0) return undefined;
  const hiddenTo = Math.max(hides.at(-1)!, history.hiddenTo);
  return { hiddenTo, kept: seen.filter((number) => number <= hiddenTo && stays(number)), hides };
}

interface Step {
  readonly last: number;
  /** Visible messages of the step. */
  readonly numbers: readonly number[];
}

/** What goes together: an answer with the results of its calls, or another message alone. */
function stepsOf(history: History): Step[] {
  const steps: { last: number; numbers: number[] }[] = [];
  const byCall = new Map<string, { last: number; numbers: number[] }>();
  for (const number of visible(history)) {
    const { answers, calls } = history.messages[number - 1]!;
    const own = answers && byCall.get(answers.id);
    if (own) {
      own.numbers.push(number);
      own.last = number;
      continue;
    }
    const step = { last: number, numbers: [number] };
    steps.push(step);
    for (const { id } of calls ?? []) byCall.set(id, step);
  }
  return steps;
}

/** Numbers of the messages that the model sees. */
export function visible({ messages, isHidden }: History): number[] {
  return messages.map((_, i) => i + 1).filter((number) => !isHidden(number));
}

function isKeptSkill({ history, neverCompress }: PlanInput, number: number): boolean {
  const { attachments = [] } = history.messages[number - 1]!;
  return attachments.some(({ kind, name }) => kind === 'skill' && neverCompress.includes(name));
}

function sum(numbers: readonly number[], tokens: readonly number[]): number {
  return numbers.reduce((total, number) => total + tokens[number - 1]!, 0);
}
