import type { History } from './history.ts';

/** Stands between a summary's prose and its list of handles. */
const MARK = '\n\nWhat is hidden, word by word still there:\n';
const ASKED_CHARS = 90;

export interface SummaryParts {
  readonly prose: string;
  readonly handles: string;
}

/** One flat summary message of the prose and the handles, with the calls that recover what is hidden. */
export function summaryText(
  { prose, handles }: SummaryParts,
  hiddenTo: number,
  rereadSkills: readonly string[],
): string {
  const skills =
    rereadSkills.length === 0
      ? ''
      : `\nInstructions of these skills are hidden too; before using one again call loci_read_assigned_skill_file(skill_name=…): ${rereadSkills.join(', ')}.`;
  return `[Summary of messages 1–${hiddenTo} of this conversation. They are hidden, not lost: a handle such as [messages 3–17] is recovered exactly with loci_manage_thread_memory(action="GET_HIDDEN_MESSAGES", start_message_num=3, end_message_num=17); to find a place, action="SEARCH_MESSAGES" with search_scope="hidden". When an exact text, number or result is needed, recover it instead of guessing.]

${prose}${MARK}${handles}${skills}`;
}

/** The prose inside a summary that `summaryText` made. */
export function proseOf(summary: string): string {
  const start = summary.indexOf(']\n\n');
  const end = summary.lastIndexOf(MARK);
  return summary.slice(start < 0 ? 0 : start + 3, end < 0 ? undefined : end);
}

/** Every hidden message in a few numbered ranges, one a line, each with what was asked and which tools ran. */
export function handleLines(
  { messages }: Pick<History, 'messages'>,
  { hiddenTo, isHidden, lines: most }: { hiddenTo: number; lines: number; isHidden(number: number): boolean },
): string {
  const turns: Turn[] = [];
  for (let number = 1; number <= hiddenTo; number++) {
    const { role, text, answers } = messages[number - 1]!;
    if (role === 'user' || turns.length === 0) turns.push({ first: 0, last: 0, asked: [], tools: new Set() });
    const turn = turns.at(-1)!;
    if (role === 'user') turn.asked.push(oneLine(text));
    if (!isHidden(number)) continue;
    turn.first ||= number;
    turn.last = number;
    if (answers) turn.tools.add(answers.name);
  }
  const hidden = turns.filter(({ first }) => first > 0);
  const perLine = Math.ceil(hidden.length / most);
  const lines: string[] = [];
  for (let i = 0; i < hidden.length; i += perLine) lines.push(lineOf(hidden.slice(i, i + perLine)));
  return lines.join('\n');
}

interface Turn {
  /** 0 while nothing of the turn is hidden. */
  first: number;
  last: number;
  readonly asked: string[];
  readonly tools: Set<string>;
}

function lineOf(turns: readonly Turn[]): string {
  const handle = handleOf(turns[0]!.first, turns.at(-1)!.last);
  const asked = turns.flatMap((turn) => turn.asked);
  const tools = [...new Set(turns.flatMap((turn) => [...turn.tools]))];
  const about =
    asked.length > 1 ? `${asked.length} questions, first ${asked[0]}` : (asked[0] ?? 'before the first question');
  const more = tools.length > 6 ? `, ${tools.length - 6} more` : '';
  return `${handle} ${about}${tools.length > 0 ? ` (tools: ${tools.slice(0, 6).join(', ')}${more})` : ''}`;
}

export function handleOf(first: number, last: number): string {
  return first === last ? `[message ${first}]` : `[messages ${first}–${last}]`;
}

/** The prose without handles that lead nowhere: models invent numbers. */
export function withoutFalseHandles(prose: string, hiddenTo: number): string {
  return prose.replace(/ ?\[messages? (\d{1,9})(?:\s*[-–—]\s*(\d{1,9}))?\]/g, (handle, from: string, to = from) => {
    const [first, last] = [Number(from), Number(to)];
    return first >= 1 && first <= last && last <= hiddenTo ? handle : '';
  });
}

export function oneLine(text: string, most = ASKED_CHARS): string {
  const line = text
    .slice(0, most * 4)
    .replace(/\s+/g, ' ')
    .trim();
  return `"${line.length <= most ? line : `${line.slice(0, most - 1).trimEnd()}…`}"`;
}
