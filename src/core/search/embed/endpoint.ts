import type { Embedder } from '../engine.ts';
import { endpointError, type PostOptions, postJson } from './post-json.ts';

/** A service that turns texts into vectors over HTTP. */
export interface Endpoint {
  readonly provider: string;
  readonly url: string;
  readonly modelName: string;
  readonly apiKey?: string | undefined;
  /** The service's request for some texts. */
  request(texts: readonly string[]): unknown;
  /** The vectors of an answer, in the order of the texts; undefined when the answer has another shape. */
  vectors(answer: unknown): readonly (readonly number[])[] | undefined;
}

/** Texts a request; more would make one timeout lose more work. */
const BATCH = 64;
/** Characters of a text that are sent: models refuse or cut what exceeds about 8,000 tokens. */
const LONGEST_TEXT = 24_000;
// Not measured for any one endpoint: a middle between the built-in model's weight and an even blend.
const WEIGHT = 0.3;

/**
 * An embedder for an endpoint. Asks it for one vector first, to learn the dimensions and whether it answers at all.
 * Throws `UserError` (`embedding_endpoint`).
 */
export async function createEndpointEmbedder(endpoint: Endpoint, options: PostOptions = {}): Promise<Embedder> {
  const { provider, url, modelName, apiKey } = endpoint;
  const secrets = apiKey ? [apiKey] : [];
  const headers = apiKey ? { authorization: `Bearer ${apiKey}` } : {};

  async function embedBatch(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> {
    const cut = texts.map((text) => text.slice(0, LONGEST_TEXT) || ' ');
    const answer = await postJson(url, endpoint.request(cut), { ...options, headers, secrets, signal });
    const vectors = endpoint.vectors(answer);
    if (vectors?.length !== texts.length) {
      throw endpointError(url, `it gave ${vectors?.length ?? 'no'} vectors for ${texts.length} texts`, secrets);
    }
    return vectors.map((vector) => unit(vector) ?? fail('it gave a vector that is empty or not of numbers'));
  }

  function fail(reason: string): never {
    throw endpointError(url, reason, secrets);
  }

  const [probe] = await embedBatch(['dimensions'], options.signal);
  const dimensions = probe!.length;

  return {
    provider,
    model: modelName,
    dimensions,
    weight: WEIGHT,
    instant: false,
    async embed(texts, _kind, signal) {
      const all: Float32Array[] = [];
      for (let i = 0; i < texts.length; i += BATCH) all.push(...(await embedBatch(texts.slice(i, i + BATCH), signal)));
      const other = all.find((vector) => vector.length !== dimensions);
      if (other !== undefined) fail(`it gave ${other.length} dimensions, and ${dimensions} before`);
      return all;
    },
  };
}

/** A vector at unit length; undefined when it has none. */
function unit(values: readonly number[]): Float32Array | undefined {
  const length = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));
  return Number.isFinite(length) && length > 0 ? Float32Array.from(values, (value) => value / length) : undefined;
}
