import * as z from 'zod';
import type { Embedder } from '../engine.ts';
import { createEndpointEmbedder } from './endpoint.ts';
import type { PostOptions } from './post-json.ts';

const Answer = z.object({
  data: z.array(z.object({ index: z.number().int().optional(), embedding: z.array(z.number()) })),
});

/** The embedder of an OpenAI-compatible service: `endpoint` is its base address, as in `https://api.openai.com/v1`. */
export function createOpenAiEmbedder(
  { endpoint, modelName, apiKey }: { endpoint: string; modelName: string; apiKey?: string | undefined },
  options?: PostOptions,
): Promise<Embedder> {
  const base = endpoint.replace(/\/+$/, '');
  return createEndpointEmbedder(
    {
      provider: 'openai',
      url: base.endsWith('/embeddings') ? base : `${base}/embeddings`,
      modelName,
      apiKey,
      request: (input) => ({ model: modelName, input, encoding_format: 'float' }),
      vectors(answer) {
        const parsed = Answer.safeParse(answer);
        if (!parsed.success) return undefined;
        return parsed.data.data
          .map(({ index, embedding }, i) => ({ place: index ?? i, embedding }))
          .sort((a, b) => a.place - b.place)
          .map(({ embedding }) => embedding);
      },
    },
    options,
  );
}
