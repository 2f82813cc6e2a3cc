import { join } from 'node:path';
import { createAdvisor } from './advisor/advisor.ts';
import { createCapabilities } from './capabilities/capabilities.ts';
import type { OwnGroup } from './capabilities/catalog.ts';
import { DEFAULT_AGENT } from './capabilities/world.ts';
import { createChat } from './chat/chat.ts';
import { createDependencies } from './docs/dependencies/dependencies.ts';
import { productDocs } from './docs/product-docs.ts';
import { createGoals } from './goals/goals.ts';
import { createGraph } from './graph/graph.ts';
import type { ChatStores, Customizations, WorkspaceFolder } from './host.ts';
import { createIndexes } from './indexes/indexes.ts';
import type { KnowledgeBase } from './kb/base.ts';
import { createKnowledge } from './kb/knowledge.ts';
import type { Status } from './kb/status.ts';
import { createLocal } from './local/local.ts';
import { createRuntime } from './runtime/runtime.ts';
import { type ChosenEmbedder, chooseEmbedder } from './search/embed/choose.ts';
import type { Settings } from './settings.ts';
import { createSkills } from './skills/skills.ts';
import { parseSql } from './sql/parse/parse-sql.ts';
import { createSql } from './sql/sql.ts';
import { type CompactRequest, createThreads } from './threads/threads.ts';
import { createWiki } from './wiki/wiki.ts';

/** What the worker is told at its start and whenever settings or folders change. */
export interface WorkerConfig {
  readonly folders: readonly WorkspaceFolder[];
  readonly bases: readonly KnowledgeBase[];
  readonly settings: Settings;
  /** Folder for indexes, state, cached vectors and installed models. */
  readonly storage: string;
  /** The packaged `media/` folder. */
  readonly media: string;
  /** Loci's own tool groups. */
  readonly groups: readonly OwnGroup[];
  readonly chats: ChatStores;
  /** False while the person has not said that the workspace may be trusted. */
  readonly trusted: boolean;
  readonly customizations: Customizations;
  /** Key of the embedding service. */
  readonly apiKey: string | undefined;
  /** Passwords of connections, by what they belong to (see sql/connections/record.ts). */
  readonly passwords: Readonly<Record<string, string>>;
}

/** What the worker tells without being asked. */
export interface WorkerEvents {
  readonly log: { readonly level: 'info' | 'warn'; readonly message: string };
  readonly status: Status;
  /** Folders of the knowledge bases that are open now. */
  readonly bases: readonly string[];
  /** Tool groups whose tools the window should offer. */
  readonly groups: readonly string[];
  /** A chat has called a tool or changed what it has active. */
  readonly thread: { readonly thread: string };
  /** Connections or the history of queries have changed. */
  readonly connections: undefined;
  /** Skills, custom agents or prompt files have changed. */
  readonly skills: undefined;
  /** The graph of data assets is another one, or its scan has come further. */
  readonly graph: undefined;
  /** A chat that should be compacted when its turn ends. */
  readonly compact: CompactRequest;
}

export type Emit = <E extends keyof WorkerEvents>(event: E, value: WorkerEvents[E]) => void;

/** The worker's side: every domain that reads, indexes or searches, as services that `serve` answers calls with. */
export function createServices(emit: Emit) {
  const log = (level: 'info' | 'warn', message: string) => emit('log', { level, message });
  const knowledge = createKnowledge(log, (status) => emit('status', status));
  const skills = createSkills({ onChange: () => emit('skills', undefined) });
  const threads = createThreads({ log, onCompact: (request) => emit('compact', request) });
  /** Opens the knowledge bases that there are now. */
  let openBases = async (): Promise<void> => {};
  const indexes = createIndexes({
    changed: () => openBases(),
    states: knowledge.bases,
    forget: (bases) => knowledge.forget({ bases }),
    now: Date.now,
    log: (message) => log('warn', message),
  });
  const dependencies = createDependencies({
    changed: () => knowledge.rescan({ ids: ['dependencies'] }),
    log: (message) => log('warn', message),
  });
  const capabilities = createCapabilities({
    skills: skills.port,
    indexes: async () => indexes.entries(),
    bases: async () => [
      ...indexes.entries().flatMap(({ name, bases }) => bases.map((id) => ({ id, name }))),
      ...(await knowledge.bases()).map(({ id, name }) => ({ id, name })),
    ],
    agents: skills.port.agents,
    agentOf: (thread) => threads.agentOf(thread),
    searchKnowledge: (query, allowed, signal) => knowledge.previews({ query, allowed }, signal),
    onActive: (groups) => emit('groups', groups),
    onThread: (thread) => emit('thread', { thread }),
    log: (message) => log('warn', message),
  });
  const chat = createChat({
    now: Date.now,
    neverCompress: async (thread) =>
      (await capabilities.methods.runSettings({ thread, agent: DEFAULT_AGENT })).never_compress_skills,
  });
  const sql = createSql({
    now: Date.now,
    log: (message) => log('warn', message),
    chats: (signal) => threads.chats(signal),
    learnings: { overlays: (input) => wiki.overlays(input) },
    onChange: () => emit('connections', undefined),
  });
  const graph = createGraph({
    parseSql,
    connections: sql.port,
    learnings: { overlays: (input) => wiki.overlays(input) },
    now: Date.now,
    log,
    onChange: () => emit('graph', undefined),
  });
  const local = createLocal({ now: Date.now });
  const wiki = createWiki({ graph: graph.wiki, now: Date.now });
  const docs = createKnowledge(log, () => {});
  const runtime = createRuntime();
  const goals = createGoals({ now: Date.now });
  const advisor = createAdvisor({
    standing: (thread) => capabilities.methods.thread({ thread, agent: undefined }),
    providers: {
      agents: async () =>
        (await skills.methods.agents(undefined)).map(({ name, description }) => ({ name, description })),
      skills: async () =>
        (await skills.methods.list(undefined)).skills.map(({ name, description }) => ({ name, description })),
      prompt_files: async () =>
        (await skills.methods.prompts(undefined)).map(({ name, description }) => ({ name, description })),
      knowledge_bases: async () => (await knowledge.bases()).map(({ name, root }) => ({ name, source: root })),
      connections: async () =>
        (await sql.port.list()).map(({ connection_id, type }) => ({ name: connection_id, description: type })),
    },
  });

  let choice = '';
  let chosen: ChosenEmbedder;
  const choose = async ({ settings, storage, media, apiKey }: WorkerConfig): Promise<void> => {
    const wanted = {
      model: settings['embedding.model'],
      endpoint: settings['embedding.endpoint'],
      modelName: settings['embedding.modelName'],
      ...(apiKey && { apiKey }),
      staticFolder: join(media, 'embedding'),
      modelsFolder: join(storage, 'models'),
      cacheFolder: join(storage, 'vectors'),
    };
    if (choice === JSON.stringify(wanted)) return;
    chosen = await chooseEmbedder(wanted);
    choice = JSON.stringify(wanted);
  };

  return {
    worker: {
      async configure(config: WorkerConfig) {
        await choose(config);
        const { bases, storage, settings, trusted, groups: own } = config;
        const skillFolders = settings['skills.folders'];
        skills.configure({ ...config.customizations, folders: config.folders, skillFolders });
        const maxBytes = settings['index.maxFileSizeMB'] * 1_000_000;
        const taken = bases.map(({ name }) => name);
        await indexes.configure({ storage, folders: config.folders, maxBytes, taken });
        await dependencies.configure({ enabled: settings['dependencies.enabled'], storage, folders: config.folders });
        openBases = async () => {
          const all = [...bases, ...indexes.bases(), ...dependencies.bases(maxBytes)];
          await knowledge.configure({ bases: all, storage, semantic: chosen });
          emit(
            'bases',
            all.map(({ root }) => root),
          );
        };
        await openBases();
        const workspace = config.folders[0]?.path ?? '';
        const { embedder } = chosen;
        await capabilities.configure({ own, storage, workspace, trusted, settings, embedder });
        chat.configure({ storage, workspace });
        threads.configure({
          stores: config.chats,
          folders: config.folders.map(({ path }) => path),
          others: settings['threads.otherWorkspaces'],
          storage,
          embedder,
          waitMs: settings['index.waitSeconds'] * 1000,
        });
        await runtime.configure({ folders: config.folders, instanceName: settings.instanceName });
        await goals.configure({ storage });
        await advisor.configure({ storage, folders: config.folders, media: config.media });
        await graph.configure({
          folders: bases
            .slice(0, config.folders.length)
            .map(({ name, root, exclude }) => ({ name, path: root, exclude })),
          storage,
          semantic: chosen,
          maxBytes,
          waitMs: settings['index.waitSeconds'] * 1000,
          samples: settings['data.samples'],
        });
        await sql.configure({
          storage,
          folders: config.folders,
          trusted,
          connections: settings['data.connections'],
          passwords: config.passwords,
          allowWrites: settings['data.allowWrites'],
          keepPreviews: settings['data.keepPreviews'],
          otherWorkspaces: settings['threads.otherWorkspaces'],
          timeoutMs: settings['data.queryTimeoutSeconds'] * 1000,
        });
        await docs.configure({ bases: [productDocs(config.media)], storage, semantic: chosen });
        await local.configure({
          storage,
          workspace: config.folders.map(({ path }) => path),
          trusted: config.trusted,
          blockCredentials: settings['local.blockCredentials'],
        });
        await wiki.configure({
          folders: config.folders,
          storage,
          writeEnabled: settings['wiki.writeEnabled'],
          review: settings['wiki.review'],
          shareValues: settings['wiki.shareValues'],
        });
      },
      async close() {
        await knowledge.close();
        await docs.close();
        dependencies.close();
        await threads.close();
        await graph.close();
        await local.close();
      },
    },
    knowledge: {
      ...knowledge,
      async settled(input: Parameters<typeof knowledge.settled>[0]) {
        const started = Date.now();
        await Promise.race([dependencies.settled(), new Promise((resolve) => setTimeout(resolve, input.ms).unref())]);
        return knowledge.settled({ ...input, ms: Math.max(0, input.ms - (Date.now() - started)) });
      },
      async changed(input: { paths: string[] }) {
        dependencies.noteChanges(input.paths);
        await graph.methods.changed(input);
        await knowledge.changed(input);
      },
    },
    capabilities: capabilities.methods,
    skills: skills.methods,
    threads: threads.methods,
    sql: sql.methods,
    chat: chat.methods,
    indexes: indexes.methods,
    wiki,
    local: local.methods,
    graph: graph.methods,
    runtime,
    goals,
    advisor,
    /** Loci's own documentation: a knowledge base apart from the person's. */
    docs: { settled: docs.settled, searchDocuments: docs.searchDocuments, readDocument: docs.readDocument },
  };
}

export type Services = ReturnType<typeof createServices>;
