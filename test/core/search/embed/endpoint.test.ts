import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { chooseEmbedder } from '../../../../src/core/search/embed/choose.ts';
import { createOllamaEmbedder } from '../../../../src/core/search/embed/ollama.ts';
import { createOpenAiEmbedder } from '../../../../src/core/search/embed/openai.ts';

type Answer = (body: { input: string[]; model: string }, request: IncomingMessage, response: ServerResponse) => unknown;

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** A server that answers every request with what `answer` returns, as JSON, unless it has answered itself. */
async function serve(answer: Answer): Promise<string> {
  server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const result = answer(JSON.parse(Buffer.concat(parts).toString()), request, response);
      if (result !== undefined) response.end(JSON.stringify(result));
    });
  });
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const vectorOf = (text: string) => [text.length, 1, 0];
const openAiAnswer = (input: string[]) => ({
  data: input.map((text, index) => ({ index, embedding: vectorOf(text) })).reverse(),
});
const quick = { retryDelay: 1 };
const failed = { name: 'UserError', code: 'embedding_endpoint' };

describe('an OpenAI-compatible endpoint', () => {
  it('is asked in batches, with the key, and answers in the order of the texts at unit length', async () => {
    const sizes: number[] = [];
    const endpoint = await serve(({ input, model }, { headers, url }) => {
      expect([url, model, headers.authorization]).toEqual(['/v1/embeddings', 'm', 'Bearer secret']);
      sizes.push(input.length);
      return openAiAnswer(input);
    });
    const embedder = await createOpenAiEmbedder(
      { endpoint: `${endpoint}/v1/`, modelName: 'm', apiKey: 'secret' },
      quick,
    );
    expect(embedder).toMatchObject({ provider: 'openai', model: 'm', dimensions: 3, instant: false });
    const texts = Array.from({ length: 130 }, (_, i) => 'x'.repeat(i + 1));
    const vectors = await embedder.embed(texts, 'document');
    expect(sizes).toEqual([1, 64, 64, 2]);
    for (const [i, vector] of vectors.entries()) {
      expect(Math.hypot(...vector)).toBeCloseTo(1);
      expect(vector[0]! / vector[1]!).toBeCloseTo(i + 1, 3);
    }
  });

  it('is asked again after 429 and 5xx, as often as makes sense', async () => {
    let asked = 0;
    const statuses = [503, 429, 500];
    const endpoint = await serve(({ input }, _, response) => {
      response.statusCode = statuses[asked++] ?? 200;
      return openAiAnswer(input);
    });
    await createOpenAiEmbedder({ endpoint, modelName: 'm' }, quick);
    expect(asked).toBe(4);
    asked = -100;
    statuses.push(...Array.from({ length: 200 }, () => 500));
    asked = 0;
    await expect(createOpenAiEmbedder({ endpoint, modelName: 'm' }, quick)).rejects.toMatchObject(failed);
    expect(asked).toBe(4);
  });

  it('is not asked again after 401, and the key is in no error', async () => {
    let asked = 0;
    const endpoint = await serve((_body, _request, response) => {
      asked++;
      response.statusCode = 401;
      return { error: 'the key sk-secret is wrong' };
    });
    const failure = createOpenAiEmbedder({ endpoint, modelName: 'm', apiKey: 'sk-secret' }, quick);
    await expect(failure).rejects.toMatchObject(failed);
    await failure.catch((error: Error) => {
      expect(error.message).toContain('401');
      expect(JSON.stringify([error.message, error.stack])).not.toContain('sk-secret');
    });
    expect(asked).toBe(1);
  });

  it.each<[string, (input: string[]) => unknown]>([
    ['too few vectors', () => ({ data: [] })],
    ['another shape', () => ({ vectors: [] })],
    ['no numbers', () => ({ data: [{ index: 0, embedding: ['a'] }] })],
    ['a zero vector', () => ({ data: [{ index: 0, embedding: [0, 0] }] })],
    ['no JSON', () => undefined],
  ])('that answers with %s fails clearly', async (_name, answer) => {
    const endpoint = await serve(({ input }, _, response) => answer(input) ?? void response.end('<html>'));
    await expect(createOpenAiEmbedder({ endpoint, modelName: 'm' }, quick)).rejects.toMatchObject(failed);
  });

  it('that changes its dimensions fails clearly', async () => {
    let asked = 0;
    const endpoint = await serve(({ input }) => ({
      data: input.map((_, index) => ({ index, embedding: Array.from({ length: asked++ === 0 ? 3 : 4 }, () => 1) })),
    }));
    const embedder = await createOpenAiEmbedder({ endpoint, modelName: 'm' }, quick);
    await expect(embedder.embed(['a'], 'document')).rejects.toMatchObject(failed);
  });

  it('is given up on in time, and at once when aborted', async () => {
    const endpoint = await serve(() => undefined);
    const silent = createOpenAiEmbedder({ endpoint, modelName: 'm' }, { ...quick, timeout: 30 });
    await expect(silent).rejects.toMatchObject(failed);
    const controller = new AbortController();
    const aborted = createOpenAiEmbedder({ endpoint, modelName: 'm' }, { signal: controller.signal });
    controller.abort();
    await expect(aborted).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('is not followed elsewhere', async () => {
    const endpoint = await serve((_body, _request, response) => {
      response.statusCode = 307;
      response.setHeader('location', 'http://127.0.0.1:9/');
      return {};
    });
    await expect(createOpenAiEmbedder({ endpoint, modelName: 'm', apiKey: 'k' }, quick)).rejects.toMatchObject(failed);
  });
});

describe('Ollama', () => {
  it('is asked for embeddings by its own protocol', async () => {
    const endpoint = await serve(({ input }, { url }) => {
      expect(url).toBe('/api/embed');
      return { embeddings: input.map(vectorOf) };
    });
    const embedder = await createOllamaEmbedder({ endpoint, modelName: 'nomic-embed-text' }, quick);
    const [vector] = await embedder.embed(['abc'], 'query');
    expect(vector![0]! / vector![1]!).toBeCloseTo(3, 4);
  });
});

describe('the choice of a model', () => {
  const staticFolder = fileURLToPath(new URL('../../../../media/embedding', import.meta.url));

  it('names what is missing instead of failing', async () => {
    const unavailable = async (choice: object) => {
      const chosen = await chooseEmbedder({ model: 'none', staticFolder, ...choice });
      return chosen.embedder === null ? chosen.unavailable : undefined;
    };
    expect(await unavailable({})).toMatchObject({
      status: 'unavailable',
      enable_with: expect.stringContaining('static'),
    });
    expect(await unavailable({ model: 'use-lite', modelsFolder: '/nowhere' })).toMatchObject({
      enable_with: expect.stringContaining('npm install'),
    });
    expect(await unavailable({ model: 'openai', endpoint: 'file:///etc' })).toMatchObject({ status: 'unavailable' });
    expect(await unavailable({ model: 'ollama', endpoint: 'http://127.0.0.1:9' })).toMatchObject({
      enable_with: expect.stringContaining('modelName'),
    });
    expect(await unavailable({ model: 'static', staticFolder: '/nowhere' })).toMatchObject({ status: 'unavailable' });
  });

  it('gives the built-in model, which tells likeness of meaning', async () => {
    const { embedder } = await chooseEmbedder({ model: 'static', staticFolder });
    const [query, near, far] = await embedder!.embed(
      [
        'how do I read a file in python',
        'open() returns a file object; call read() on it',
        'The recipe needs two eggs.',
      ],
      'document',
    );
    const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, i) => sum + value * b[i]!, 0);
    expect(dot(query!, query!)).toBeCloseTo(1, 5);
    expect(dot(query!, near!)).toBeGreaterThan(dot(query!, far!));
    expect(embedder!.encode!('')).toEqual(new Float32Array(embedder!.dimensions));
  });
});
