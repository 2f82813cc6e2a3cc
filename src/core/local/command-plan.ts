import { realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { redact } from '../redact/redact.ts';
import type { Closed } from './closed.ts';
import { CLI_HOSTS } from './network.ts';
import { isNameOfClosed } from './open-file.ts';
import { Refusal } from './refusal.ts';
import type { Reach } from './sandbox.ts';
import { type Cli, isCli } from './shell/cli-reads.ts';
import { hasCredentialOutput, isDestructive, signInOf } from './shell/hazards.ts';
import { type Invocation, invocationsOf } from './shell/invocations.ts';
import { type Chain, chainSource, parseCommand, type SimpleCommand } from './shell/parse.ts';
import { judge } from './shell/read-only.ts';

export interface CommandInput {
  readonly command: string;
  /** Why it is needed, for the person who is asked. */
  readonly reason: string;
  /** Absolute; empty for a fresh empty folder. */
  readonly working_directory: string;
  readonly timeout_seconds: number;
}

/** How a command is to run. */
export interface CommandPlan {
  /** Bash source: the command itself, or, of a read, the same with nothing left open to interpretation. */
  readonly source: string;
  readonly invocations: readonly Invocation[];
  /** CLIs whose settings and sign-in it may use. */
  readonly clis: readonly Cli[];
  readonly reach: Reach;
  /** Why a person has to agree first, as the end of "It uses …"; undefined for a read that runs at once. */
  readonly asks: string | undefined;
  readonly isDestructive: boolean;
  /** True when its output is not shown, since it is likely to hold keys or passwords. */
  readonly isWithheld: boolean;
}

const MOST_CHARACTERS = 20_000;
const MOST_REASON = 300;

/** Judges a command. Throws `Refusal` for one that bash cannot parse. */
export function planCommand(command: string): CommandPlan | { readonly signIn: Invocation } {
  if (command.length > MOST_CHARACTERS) {
    throw new Refusal(
      'refused',
      `The command is longer than ${MOST_CHARACTERS} characters.`,
      'Put it into a script file.',
    );
  }
  if (command.includes('\0')) throw new Refusal('refused', 'The command holds a NUL character.', 'Leave it out.');
  const parsed = parseCommand(command);
  if (parsed.kind === 'invalid') {
    throw new Refusal('refused', `Bash cannot parse the command: ${parsed.message}.`, 'Mend the quotes and operators.');
  }
  const invocations = invocationsOf(command);
  const signIn = signInOf(invocations);
  if (signIn) return { signIn };
  const verdict = parsed.kind === 'chain' ? judge(parsed.chain) : { kind: 'ask' as const, why: parsed.why };
  const common = { invocations, isDestructive: isDestructive(invocations, command) };
  if (verdict.kind === 'ask' || parsed.kind !== 'chain') {
    const isWithheld = invocations.some(hasCredentialOutput);
    const clis = [...new Set(invocations.map(([name]) => name).filter(isCli))];
    const asks = verdict.kind === 'ask' ? verdict.why : 'more than one command';
    return { ...common, source: command, clis, reach: 'internet', asks, isWithheld };
  }
  const source = chainSource(parsed.chain);
  const read = { ...common, source, asks: undefined, isWithheld: false };
  if (verdict.kind === 'read') return { ...read, clis: [], reach: 'none' };
  const hosts = CLI_HOSTS[verdict.cli];
  return { ...read, clis: [verdict.cli], reach: hosts.length > 0 ? hosts : 'none' };
}

/** The reason as it is shown to a person: one line, without secrets. */
export function shownReason(reason: string): string {
  const line = redact(reason).text.replace(/\s+/g, ' ').trim();
  return line.length > MOST_REASON ? `${line.slice(0, MOST_REASON - 1)}…` : line;
}

/** What a person is shown before a command that needs their consent. Markdown. */
export function confirmationText(plan: CommandPlan, input: CommandInput): { title: string; message: string } {
  const { command, reason, working_directory, timeout_seconds } = input;
  const fence = '`'.repeat(Math.max(3, ...[...command.matchAll(/`+/g)].map(([run]) => run.length + 1)));
  const unseen = [...new Set(command.match(/[\p{Cf}\p{Zl}\p{Zp}]|[^\S \t\n]|(?![\t\n])\p{Cc}/gu) ?? [])];
  const codes = unseen.map((character) => `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`);
  const notes = [
    `Reason: ${escapeMarkdown(shownReason(reason))}`,
    `It uses ${escapeMarkdown(plan.asks ?? 'nothing unusual')}.`,
    ...(codes.length > 0 ? [`**It holds characters that cannot be seen:** ${codes.join(', ')}.`] : []),
    ...(plan.isDestructive ? ['**Destructive: it deletes, overwrites or stops things for good.**'] : []),
    ...(plan.isWithheld ? ['Its output may hold keys or passwords: the agent does not get to see it.'] : []),
    working_directory === ''
      ? 'It runs in a fresh empty folder and can write nowhere else.'
      : `It runs in ${escapeMarkdown(working_directory)} and can write there.`,
    `It can reach the internet, and is stopped after ${boundedSeconds(timeout_seconds)} seconds.`,
  ];
  return {
    title: plan.isDestructive ? 'Run this destructive command?' : 'Run this command?',
    message: `${fence}bash\n${command}\n${fence}\n\n${notes.join('\n\n')}`,
  };
}

export function boundedSeconds(seconds: number): number {
  return Math.min(300, Math.max(1, Math.trunc(seconds)));
}

function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+!|<>~&$-]/g, '\\$&');
}

/** Programs whose operands are files, with the number of operands before them that are not. */
const FILE_OPERANDS: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    ['cat', 'head', 'tail', 'wc', 'stat', 'file', 'sort', 'uniq', 'cut', 'ls', 'du', 'column', 'find', 'lsof'].map(
      (name) => [name, 0],
    ),
  ),
  grep: 1,
  rg: 1,
  jq: 1,
};

/** Closed files that a read names: the sandbox would show them as empty or missing, so it is not even started. */
export async function closedOperands(chain: Chain, folder: string, home: string, closed: Closed): Promise<string[]> {
  const paths = chain.commands.flatMap((command) => operandsOf(command));
  const found = await Promise.all(
    paths.map(async (path) => {
      const absolute = /^~(?:\/|$)/.test(path) ? join(home, path.slice(1)) : resolve(folder, path);
      const real = await realpath(absolute).catch(() => undefined);
      const isNamed = [absolute, ...(real ? [real] : [])].some((each) => closed.reason(each) !== undefined);
      const isClosed = isNamed || (real !== undefined && (await isLinkToClosed(real, closed)));
      return isClosed && (real !== undefined || /[*?[]/.test(path)) ? [absolute] : [];
    }),
  );
  return found.flat();
}

async function isLinkToClosed(path: string, closed: Closed): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile() || found.nlink < 2) return false;
  return isNameOfClosed(found, closed);
}

function operandsOf({ name, args }: SimpleCommand): string[] {
  const skipped = FILE_OPERANDS[name];
  if (skipped === undefined) return [];
  const firstOption = args.findIndex(({ value }) => value.startsWith('-'));
  const values = (name === 'find' && firstOption >= 0 ? args.slice(0, firstOption) : args).map(({ value }) => value);
  const operands = values.filter((value) => !value.startsWith('-'));
  return operands.filter((value, i) => i >= skipped || value.includes('/'));
}
