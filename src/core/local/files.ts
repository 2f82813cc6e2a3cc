import { type Change, makeChange, type PlannedChange, planChange } from './change.ts';
import { listFolder } from './list.ts';
import type { Surroundings } from './place.ts';
import { readLines } from './read.ts';
import { declining, Refusal } from './refusal.ts';
import { findFiles, searchFiles } from './search.ts';

export interface FilesInput {
  readonly action: 'list' | 'read' | 'search' | 'find' | 'write' | 'delete' | 'move';
  readonly path: string;
  readonly pattern: string;
  readonly regex: boolean;
  readonly file_glob: string;
  readonly include_hidden: boolean;
  readonly start_line: number;
  readonly start_char: number;
  readonly max_lines: number;
  readonly max_results: number;
  readonly offset: number;
  readonly content: string | null;
  readonly overwrite: boolean;
  readonly destination: string;
}

const SHOWN_CONTENT = 2000;

export interface Question {
  readonly title: string;
  /** Markdown. */
  readonly message: string;
}

/** The real paths that a change touches, and what a person is to be asked first; undefined for what changes nothing. */
export async function confirmFiles(
  input: FilesInput,
  around: Surroundings,
): Promise<{ readonly targets: readonly string[]; readonly question: Question | undefined } | undefined> {
  const change = changeOf(input);
  if (!change) return undefined;
  try {
    const plan = await planChange(change, around);
    return { targets: plan.targets, question: plan.isOwn ? undefined : questionOf(plan) };
  } catch (error) {
    // The call itself says why it is refused.
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/**
 * Carries out one action. `agreed` are the paths that `confirmFiles` gave for this call: a change that leads elsewhere by now
 * is refused. Undefined where nobody was asked because the caller vouches for consent.
 */
export async function runFiles(
  input: FilesInput,
  around: Surroundings,
  agreed: readonly string[] | undefined,
  signal?: AbortSignal,
) {
  return declining(async () => {
    switch (input.action) {
      case 'list':
        return listFolder(input, around, signal);
      case 'read':
        return readLines(input, around, signal);
      case 'search':
        return searchFiles(input, around, signal);
      case 'find':
        return findFiles(input, around, signal);
      default: {
        const plan = await planChange(changeOf(input)!, around);
        if (agreed !== undefined && agreed.join('\0') !== plan.targets.join('\0')) {
          throw new Refusal(
            'refused',
            `${plan.targets.join(' → ')} is not where this path led when it was confirmed.`,
            'Call again.',
          );
        }
        return makeChange(plan);
      }
    }
  });
}

function changeOf({ action, path, content, overwrite, destination }: FilesInput): Change | undefined {
  if (action === 'write') return { action, path, content, overwrite };
  if (action === 'delete') return { action, path };
  return action === 'move' ? { action, path, destination } : undefined;
}

function questionOf({ change, targets, replaces }: PlannedChange): Question {
  const [path, destination] = targets.map(code);
  if (change.action === 'delete') return { title: `Delete this ${replaces}?`, message: `${path} is deleted for good.` };
  if (change.action === 'move') return { title: `Move this ${replaces}?`, message: `${path} → ${destination}` };
  const { content } = change;
  const shown = content!.length > SHOWN_CONTENT ? `${content!.slice(0, SHOWN_CONTENT)}\n…` : content!;
  const fence = '`'.repeat(Math.max(3, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length + 1)));
  const what = replaces === 'file' ? '**replaces what is there**' : 'is a new file';
  return {
    title: replaces === 'file' ? 'Replace this file?' : 'Write this file?',
    message: `${path} ${what}, ${Buffer.byteLength(content!)} bytes:\n\n${fence}\n${shown}\n${fence}`,
  };
}

/** A path as inline code, whatever is in its name. */
function code(path: string): string {
  const ticks = '`'.repeat(1 + Math.max(0, ...[...path.matchAll(/`+/g)].map(([run]) => run.length)));
  return `${ticks} ${path.replace(/\s/g, ' ')} ${ticks}`;
}
