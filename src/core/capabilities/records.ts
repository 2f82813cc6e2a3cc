import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { UserError } from '../errors.ts';
import { writeFileAtomic } from '../util/atomic-file.ts';
import { sha256 } from '../util/hash.ts';

const names = z.array(z.string());
const TIERS = ['frontier', 'main', 'fast'] as const;
const AccessMode = z.enum(['all', 'allowlist', 'denylist']);

/** What one thread has active and how it wants to be run. */
const ThreadRecord = z.object({
  version: z.literal(1),
  thread: z.string(),
  /** The agent whose defaults it started with. */
  agent: z.string(),
  active_tool_groups: names,
  active_skills: names,
  /** Skills whose SKILL.md this thread has been given. */
  read_skills: names,
  model_tier: z.enum(TIERS).nullable(),
  tool_profile_overrides: z.record(z.string(), z.enum(['basic', 'advanced'])),
  context_budget_policy: z.record(z.string(), z.unknown()).nullable(),
});
export type ThreadRecord = z.infer<typeof ThreadRecord>;

/** What an agent's threads start with, and what it may use at all. */
const AgentRecord = z.object({
  version: z.literal(1),
  agent: z.string(),
  /** Null until set: the groups that are on by default. */
  active_tool_groups: names.nullable(),
  active_skills: names,
  never_compress_skills: names,
  model_tier: z.enum(TIERS).nullable(),
  tool_profile_overrides: z.record(z.string(), z.enum(['basic', 'advanced'])),
  context_budget_policy: z.record(z.string(), z.unknown()).nullable(),
  tool_access_mode: AccessMode,
  tool_access_list: names,
  skill_access_mode: AccessMode,
  skill_access_list: names,
  /** Ids of the knowledge bases that are assigned to it; null for all. Records from before they could be have none. */
  knowledge_bases: names.nullable().default(null),
});
export type AgentRecord = z.infer<typeof AgentRecord>;
export type AccessMode = z.infer<typeof AccessMode>;

/** The records of threads and agents on disk: one small file each, so that two windows never write the same one for long. */
export interface Records {
  thread(id: string): Promise<ThreadRecord | undefined>;
  agent(name: string): Promise<AgentRecord>;
  /** Changes a record by what is on disk now; changes of this process to one record come one after another. */
  changeThread(id: string, change: (record: ThreadRecord | undefined) => ThreadRecord): Promise<ThreadRecord>;
  changeAgent(name: string, change: (record: AgentRecord) => AgentRecord): Promise<AgentRecord>;
}

/** `folder` is the workspace's own: agents of the same name in two workspaces are two. */
export function openRecords(folder: string, log: (message: string) => void): Records {
  const queues = new Map<string, Promise<unknown>>();
  const pathOf = (kind: string, name: string) => join(folder, kind, `${sha256(name).slice(0, 24)}.json`);

  const load = async <T>(path: string, schema: z.ZodType<T>): Promise<T | undefined> => {
    let text: string;
    try {
      text = await readFile(path, 'utf8');
    } catch (error) {
      if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
      throw error;
    }
    try {
      return schema.parse(JSON.parse(text));
    } catch {
      // Kept beside the new one, in case a newer version wrote it.
      await writeFileAtomic(`${path}.unreadable`, text);
      log(`${path} could not be read and was set aside; the thread or agent starts from its defaults.`);
      return undefined;
    }
  };
  const thread = (id: string) => load(pathOf('threads', id), ThreadRecord);
  const agent = async (name: string) => (await load(pathOf('agents', name), AgentRecord)) ?? newAgent(name);

  const change = <T>(path: string, current: () => Promise<T>, next: (record: T) => T): Promise<T> => {
    const done = (queues.get(path) ?? Promise.resolve()).then(async () => {
      const record = next(await current());
      await save(path, record);
      return record;
    });
    const settled = done.catch(() => undefined);
    queues.set(path, settled);
    void settled.then(() => queues.get(path) === settled && queues.delete(path));
    return done;
  };

  return {
    thread,
    agent,
    changeThread: (id, next) =>
      change<ThreadRecord | undefined>(pathOf('threads', id), () => thread(id), next) as Promise<ThreadRecord>,
    changeAgent: (name, next) => change(pathOf('agents', name), () => agent(name), next),
  };
}

async function save(path: string, record: unknown): Promise<void> {
  try {
    await writeFileAtomic(path, `${JSON.stringify(record, null, 2)}\n`);
  } catch (error) {
    throw new UserError(
      'not_saved',
      `Nothing was changed: ${path} could not be written (${(error as NodeJS.ErrnoException).code ?? error}).`,
      'Free some space or make the folder writable, then try again.',
    );
  }
}

function newAgent(agent: string): AgentRecord {
  return {
    version: 1,
    agent,
    active_tool_groups: null,
    active_skills: [],
    never_compress_skills: [],
    model_tier: null,
    tool_profile_overrides: {},
    context_budget_policy: null,
    tool_access_mode: 'all',
    tool_access_list: [],
    skill_access_mode: 'all',
    skill_access_list: [],
    knowledge_bases: null,
  };
}

/** A thread as it starts: with its agent's defaults, or the groups that are on for everyone. */
export function newThread(thread: string, agent: AgentRecord, defaultGroups: readonly string[]): ThreadRecord {
  return {
    version: 1,
    thread,
    agent: agent.agent,
    active_tool_groups: [...(agent.active_tool_groups ?? defaultGroups)],
    active_skills: [...agent.active_skills],
    // The editor or the participant hands default skills to the model as the thread starts.
    read_skills: [...agent.active_skills],
    model_tier: agent.model_tier,
    tool_profile_overrides: { ...agent.tool_profile_overrides },
    context_budget_policy: agent.context_budget_policy,
  };
}

/** True when a policy lets the agent use `name`. */
export function allows(mode: AccessMode, list: readonly string[], name: string): boolean {
  return mode === 'all' || list.includes(name) === (mode === 'allowlist');
}
