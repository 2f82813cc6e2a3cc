import { join } from 'node:path';
import type { Embedder } from '../search/engine.ts';
import { sha256 } from '../util/hash.ts';
import type { NamedBase } from './assigned-bases.ts';
import { type ForeignTool, type Group, groupsOf, type OwnGroup } from './catalog.ts';
import type { DocumentIndexEntry, KnowledgeHit } from './discover.ts';
import { type AgentRecord, newThread, openRecords, type Records, type ThreadRecord } from './records.ts';
import { threadNamed } from './request.ts';
import type { InvalidSkill, SkillEntry, SkillPort } from './skill-port.ts';

/** The agent of chats that name none. */
export const DEFAULT_AGENT = 'default';

/** Who asks. */
export interface Asker {
  readonly thread: string | undefined;
  readonly agent: string | undefined;
}

export interface CapabilitiesConfig {
  readonly own: readonly OwnGroup[];
  readonly storage: string;
  /** Absolute path of the first workspace folder; each has records of its own. */
  readonly workspace: string;
  readonly trusted: boolean;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly embedder: Embedder | null;
}

/** What the domain needs of its siblings. */
export interface CapabilitiesPorts {
  readonly skills: SkillPort;
  indexes(): Promise<readonly DocumentIndexEntry[]>;
  /** Every knowledge base; those of a document index by the index's name. */
  bases(): Promise<readonly NamedBase[]>;
  /** Names of the custom agents that exist here. */
  agents(): Promise<readonly string[]>;
  /** The agent a thread runs with now, where its stored session says so. */
  agentOf(thread: string): Promise<string | undefined>;
  /** The best passages of the knowledge bases with these ids (null: all), the same for every page of a query. */
  searchKnowledge(
    query: string,
    allowed: readonly string[] | null,
    signal?: AbortSignal,
  ): Promise<readonly KnowledgeHit[]>;
  /** Told of the groups whose tools the window should offer. */
  onActive(groups: readonly string[]): void;
  /** Told of each thread that calls or changes. */
  onThread(thread: string): void;
  log(message: string): void;
}

/** What there is for an agent to use. */
export interface Stock {
  readonly groups: readonly Group[];
  readonly skills: readonly SkillEntry[];
  readonly invalidSkills: readonly InvalidSkill[];
  readonly agent: AgentRecord;
}

/** The groups, skills, threads and agents of a window, as the actions on them see it. */
export interface World {
  readonly config: CapabilitiesConfig;
  readonly records: Records;
  groups(foreign?: readonly ForeignTool[]): Group[];
  /** Groups that are on unless an agent's defaults say otherwise. */
  defaultGroups(): string[];
  stock(agent: string, foreign: readonly ForeignTool[]): Promise<Stock>;
  agentNamed(asker: Asker): Promise<string>;
  /** The thread as it is, or as it would start; undefined without one. */
  thread(asker: Asker): Promise<ThreadRecord | undefined>;
  /** Changes a thread's record and offers what it now has. */
  change(asker: Asker, next: (record: ThreadRecord) => ThreadRecord): Promise<ThreadRecord>;
  /** Counts a thread among those seen in this window. */
  note(record: ThreadRecord): Promise<void>;
  /** Tells which groups the window should offer, when that has changed. */
  offer(): Promise<void>;
}

export function createWorld(
  ports: CapabilitiesPorts,
): World & { configure(config: CapabilitiesConfig): Promise<void> } {
  /** Threads that called from this window, with what they have active. */
  const seen = new Map<string, readonly string[]>();
  let config: CapabilitiesConfig | undefined;
  let records: Records | undefined;
  let offered: string | undefined;

  const configured = <T>(part: T | undefined): T => {
    if (part === undefined) throw new Error('the capabilities are not configured');
    return part;
  };

  const world: World = {
    get config() {
      return configured(config);
    },
    get records() {
      return configured(records);
    },
    groups(foreign = []) {
      const { own, trusted, settings } = world.config;
      return groupsOf(own, foreign, { trusted, isOn: (name) => settings[name] === true });
    },
    defaultGroups: () => world.config.own.flatMap(({ name, activation }) => (activation === 'default' ? [name] : [])),
    stock: async (agent, foreign) => ({
      groups: world.groups(foreign),
      skills: await ports.skills.list(),
      invalidSkills: await ports.skills.invalid(),
      agent: await world.records.agent(agent),
    }),
    agentNamed: async ({ thread, agent }) =>
      agent ?? (thread === undefined ? undefined : await ports.agentOf(thread)) ?? DEFAULT_AGENT,
    async thread(asker) {
      if (asker.thread === undefined) return undefined;
      const known = await world.records.thread(asker.thread);
      if (known) return known;
      const agent = await world.records.agent(await world.agentNamed(asker));
      return newThread(asker.thread, agent, world.defaultGroups());
    },
    async change(asker, next) {
      const id = threadNamed(asker);
      const agent = await world.records.agent(await world.agentNamed(asker));
      const changed = await world.records.changeThread(id, (record) =>
        next(record ?? newThread(id, agent, world.defaultGroups())),
      );
      await world.note(changed);
      return changed;
    },
    async note({ thread, active_tool_groups }) {
      seen.set(thread, active_tool_groups);
      ports.onThread(thread);
      await world.offer();
    },
    async offer() {
      const agent = await world.records.agent(DEFAULT_AGENT);
      const wanted = new Set([...(agent.active_tool_groups ?? world.defaultGroups()), ...[...seen.values()].flat()]);
      const names = world
        .groups()
        .flatMap(({ name, activation }) => (activation !== 'private' && wanted.has(name) ? [name] : []))
        .sort();
      if (names.join() === offered) return;
      offered = names.join();
      ports.onActive(names);
    },
  };

  return Object.assign(world, {
    async configure(next: CapabilitiesConfig) {
      if (config?.storage !== next.storage || config.workspace !== next.workspace) {
        records = openRecords(join(next.storage, 'context', sha256(next.workspace).slice(0, 16)), ports.log);
      }
      config = next;
      await world.offer();
    },
  });
}
