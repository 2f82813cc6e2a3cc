import { type BudgetLedger, createBudgetLedger } from './budget.ts';
import type { OwnGroup } from './capabilities/catalog.ts';
import { UserError } from './errors.ts';
import type { Host, IndexerThread } from './host.ts';
import { knowledgeBases } from './kb/settings.ts';
import { parsePasswords } from './sql/connections/passwords.ts';
import { type Connection, connect } from './util/rpc.ts';
import type { Services, WorkerConfig, WorkerEvents } from './worker-app.ts';

/** A service of the worker as it is called from here. */
type Remote<Service> = {
  readonly [M in keyof Service]: Service[M] extends (input: infer Input, signal?: AbortSignal) => infer Result
    ? (input: Input, signal?: AbortSignal) => Promise<Awaited<Result>>
    : never;
};

/** The domains as the tools and doors use them. Nothing is started before it is first asked for. */
export type Domains = { readonly [D in Exclude<keyof Services, 'worker'>]: Remote<Services[D]> };

export interface App extends Domains {
  readonly host: Host;
  readonly budget: BudgetLedger;
  /** Tells the worker of changed folders or settings. */
  reconfigure(): Promise<void>;
  on<E extends keyof WorkerEvents>(event: E, listener: (value: WorkerEvents[E]) => void): void;
  /** Saves what is unsaved and ends the worker. */
  dispose(): Promise<void>;
}

/** Wires every domain of the core to one host. `groups` gives Loci's own tool groups. */
export function createApp(host: Host, groups: () => readonly OwnGroup[]): App {
  let running: Promise<{ connection: Connection; thread: IndexerThread }> | undefined;
  const listeners = new Map<string, ((value: never) => void)[]>();

  const config = async (): Promise<WorkerConfig> => {
    const [folders, settings] = [host.folders(), host.settings()];
    return {
      folders,
      settings,
      bases: knowledgeBases(folders, settings, host.excludes, host.storage),
      storage: host.storage,
      media: host.media,
      groups: groups(),
      chats: host.chats(),
      trusted: host.trusted(),
      customizations: host.customizations(),
      apiKey: await host.secret('embedding.apiKey'),
      passwords: parsePasswords(await host.secret('data.passwords')),
    };
  };

  const start = async () => {
    const thread = host.startIndexer();
    const connection = connect(thread.port);
    thread.onExit((reason) => {
      // The next call starts a fresh worker, which reopens the saved index.
      running = undefined;
      host.log('error', `The index worker ended: ${reason}`);
      connection.close(
        new UserError(
          'worker_ended',
          'The index worker ended unexpectedly.',
          'Try again: it is started anew. The log says more.',
        ),
      );
    });
    connection.onEvent((event, value) => {
      for (const listener of listeners.get(event) ?? []) listener(value as never);
    });
    try {
      await connection.call('worker.configure', await config());
    } catch (error) {
      // A thread that nobody holds would keep the process from ending.
      await thread.stop();
      throw error;
    }
    return { connection, thread };
  };

  const connected = () => {
    running ??= start().catch((error) => {
      running = undefined;
      throw error;
    });
    return running;
  };

  const remote = <D extends keyof Domains>(domain: D): Domains[D] =>
    new Proxy({} as Domains[D], {
      get: (_, method: string) => async (input: unknown, signal?: AbortSignal) =>
        (await connected()).connection.call(`${domain}.${method}`, input, signal),
    });

  const app: App = {
    host,
    knowledge: remote('knowledge'),
    capabilities: remote('capabilities'),
    threads: remote('threads'),
    chat: remote('chat'),
    skills: remote('skills'),
    indexes: remote('indexes'),
    wiki: remote('wiki'),
    local: remote('local'),
    graph: remote('graph'),
    sql: remote('sql'),
    docs: remote('docs'),
    runtime: remote('runtime'),
    goals: remote('goals'),
    advisor: remote('advisor'),
    budget: createBudgetLedger(host),
    async reconfigure() {
      if (running) await (await running).connection.call('worker.configure', await config());
    },
    on: (event, listener) => void listeners.set(event, [...(listeners.get(event) ?? []), listener]),
    async dispose() {
      if (!running) return;
      const { connection, thread } = await running;
      await connection.call('worker.close', undefined);
      await thread.stop();
    },
  };
  app.on('log', ({ level, message }) => host.log(level, message));
  return app;
}
