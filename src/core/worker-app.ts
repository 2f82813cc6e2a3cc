import { join } from 'node:path';
import type { WorkspaceFolder } from './host.ts';
import type { KnowledgeBase } from './kb/base.ts';
import { createKnowledge } from './kb/knowledge.ts';
import type { Status } from './kb/status.ts';
import { type ChosenEmbedder, chooseEmbedder } from './search/embed/choose.ts';
import type { Settings } from './settings.ts';

/** What the worker is told at its start and whenever settings or folders change. */
export interface WorkerConfig {
  readonly folders: readonly WorkspaceFolder[];
  readonly bases: readonly KnowledgeBase[];
  readonly settings: Settings;
  /** Folder for indexes, state, cached vectors and installed models. */
  readonly storage: string;
  /** The packaged `media/` folder. */
  readonly media: string;
  /** Key of the embedding service. */
  readonly apiKey: string | undefined;
}

/** What the worker tells without being asked. */
export interface WorkerEvents {
  readonly log: { readonly level: 'info' | 'warn'; readonly message: string };
  readonly status: Status;
}

export type Emit = <E extends keyof WorkerEvents>(event: E, value: WorkerEvents[E]) => void;

/** The worker's side: every domain that reads, indexes or searches, as services that `serve` answers calls with. */
export function createServices(emit: Emit) {
  const log = (level: 'info' | 'warn', message: string) => emit('log', { level, message });
  const knowledge = createKnowledge(log, (status) => emit('status', status));

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
        await knowledge.configure({ bases: config.bases, storage: config.storage, semantic: chosen });
      },
      async close() {
        await knowledge.close();
      },
    },
    knowledge,
  };
}

export type Services = ReturnType<typeof createServices>;
