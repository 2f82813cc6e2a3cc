import { type BudgetLedger, createBudgetLedger } from './budget.ts';
import { UserError } from './errors.ts';
import type { Host, IndexerThread } from './host.ts';
import type { Indexer, IndexerConfig } from './indexer-app.ts';
import { knowledgeBases } from './kb/settings.ts';
import type { Status } from './kb/status.ts';
import { type Connection, connect } from './util/rpc.ts';

type Methods = {
  [M in keyof Indexer]: (
    input: Parameters<Indexer[M]>[0],
    signal?: AbortSignal,
  ) => Promise<Awaited<ReturnType<Indexer[M]>>>;
};

/** The domains as the tools and doors use them. Nothing is started before it is first asked for. */
export interface App {
  readonly host: Host;
  /** The knowledge bases and their index, in the worker. */
  readonly knowledge: Methods;
  readonly budget: BudgetLedger;
  /** Tells the worker of changed folders or settings. */
  reconfigure(): Promise<void>;
  onStatus(listener: (status: Status) => void): void;
  /** Saves what is unsaved and ends the worker. */
  dispose(): Promise<void>;
}

/** Wires every domain of the core to one host. */
export function createApp(host: Host): App {
  let running: Promise<{ connection: Connection; thread: IndexerThread }> | undefined;
  const listeners: ((status: Status) => void)[] = [];

  const config = async (): Promise<IndexerConfig> => {
    const settings = host.settings();
    const apiKey = await host.secret('embedding.apiKey');
    return {
      bases: knowledgeBases(host.folders(), settings, host.excludes, host.storage),
      storage: host.storage,
      media: host.media,
      embedding: {
        model: settings['embedding.model'],
        endpoint: settings['embedding.endpoint'],
        modelName: settings['embedding.modelName'],
        ...(apiKey && { apiKey }),
      },
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
      if (event === 'status') for (const listener of listeners) listener(value as Status);
      if (event === 'log')
        host.log((value as { level: 'info' | 'warn' }).level, (value as { message: string }).message);
    });
    await connection.call('configure', await config());
    return { connection, thread };
  };

  const connected = () => {
    running ??= start().catch((error) => {
      running = undefined;
      throw error;
    });
    return running;
  };

  const knowledge = new Proxy({} as Methods, {
    get: (_, method: string) => async (input: unknown, signal?: AbortSignal) =>
      (await connected()).connection.call(method, input, signal),
  });

  return {
    host,
    knowledge,
    budget: createBudgetLedger(host),
    async reconfigure() {
      if (running) await (await running).connection.call('configure', await config());
    },
    onStatus: (listener) => void listeners.push(listener),
    async dispose() {
      if (!running) return;
      const { connection, thread } = await running;
      await connection.call('close', undefined);
      await thread.stop();
    },
  };
}
