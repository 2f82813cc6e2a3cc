import * as z from 'zod';
import type { Embedder } from '../engine.ts';
import { createEndpointEmbedder } from './endpoint.ts';
import type { PostOptions } from './post-json.ts';

const Answer = z.object({ embeddings: z.array(z.array(z.number())) });

/** The embedder of an Ollama server: `endpoint` is its address, as in `http://127.0.0.1:11434`. */
export function createOllamaEmbedder(
  { endpoint, modelName, apiKey }: { endpoint: string; modelName: string; apiKey?: string | undefined },
  options?: PostOptions,
): Promise<Embedder> {
  return createEndpointEmbedder(
    {
      provider: 'ollama',
      url: `${endpoint.replace(/\/+$/, '')}/api/embed`,
      modelName,
      apiKey,
      request: (input) => ({ model: modelName, input, truncate: true }),
      vectors: (answer) => Answer.safeParse(answer).data?.embeddings,
    },
    options,
  );
}
