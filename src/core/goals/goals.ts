import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { writeFileAtomic } from '../util/atomic-file.ts';
import { sha256 } from '../util/hash.ts';

export const turnStatuses = [
  'in_progress',
  'awaiting_run',
  'awaiting_agent',
  'awaiting_user',
  'blocked',
  'complete',
] as const;
export type TurnStatus = (typeof turnStatuses)[number];

const Declaration = z.object({
  status: z.enum(turnStatuses),
  summary: z.string(),
  waiting_for: z.string().nullable(),
  /** UTC, ISO 8601. */
  declared_at: z.string(),
});
const File = z.object({ version: z.literal(1), thread: z.string(), declarations: z.array(Declaration) });

export type Declaration = z.output<typeof Declaration>;

export interface DeclareInput {
  readonly thread: string | undefined;
  readonly status: TurnStatus;
  readonly summary: string;
  readonly waiting_for: string | null;
}

/** Declarations kept for each thread. */
const KEPT = 20;

/** How the turns of each thread ended, as their agents declared it. */
export function createGoals({ now }: { now(): number }) {
  let folder = '';
  const pathOf = (thread: string) => join(folder, `${sha256(thread).slice(0, 24)}.json`);

  /** A file that is missing or damaged counts as a thread without declarations. */
  const read = async (thread: string): Promise<readonly Declaration[]> => {
    const text = await readFile(pathOf(thread), 'utf8').catch(() => '');
    try {
      const file = File.parse(JSON.parse(text));
      return file.thread === thread ? file.declarations : [];
    } catch {
      return [];
    }
  };

  return {
    async configure({ storage }: { readonly storage: string }) {
      folder = join(storage, 'goals');
    },
    /** Records how a turn ends; without a thread there is nothing to record it for, and the answer says so. */
    async declare({ thread, status, summary, waiting_for }: DeclareInput) {
      const declaration = { status, summary, waiting_for, declared_at: new Date(now()).toISOString() };
      if (thread === undefined) return { ...declaration, recorded: false, previous: null };
      const earlier = await read(thread);
      const declarations = [...earlier, declaration].slice(-KEPT);
      await writeFileAtomic(pathOf(thread), `${JSON.stringify({ version: 1, thread, declarations })}\n`);
      return { ...declaration, recorded: true, previous: earlier.at(-1) ?? null };
    },
    /** The last declaration of a thread; null if there is none. */
    current: async ({ thread }: { readonly thread: string }) => (await read(thread)).at(-1) ?? null,
  };
}
