import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import * as vscode from 'vscode';

/**
 * Runs in the extension host what the tests post: `{source, args}`, a function of `vscode` and the arguments. Where the
 * server listens is written to the file that the test run named; without that name the extension does nothing.
 */
export function activate(context: vscode.ExtensionContext): void {
  const { LOCI_TEST_CHANNEL: file, LOCI_TEST_TOKEN: token } = process.env;
  if (file === undefined || token === undefined) return;
  const server = createServer((request, response) => void answer(request, response, token));
  server.listen(0, '127.0.0.1', () => writeFileSync(file, String((server.address() as AddressInfo).port)));
  context.subscriptions.push({ dispose: () => server.close() });
}

async function answer(request: IncomingMessage, response: ServerResponse, token: string): Promise<void> {
  if (request.headers['x-token'] !== token) return void response.writeHead(403).end();
  try {
    const { source, args } = JSON.parse(await text(request)) as { source: string; args: unknown[] };
    const run = new Function(`return (${source})`)() as (api: typeof vscode, ...args: unknown[]) => unknown;
    response.end(JSON.stringify({ value: (await run(vscode, ...args)) ?? null }));
  } catch (error) {
    response.writeHead(500).end(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
}
