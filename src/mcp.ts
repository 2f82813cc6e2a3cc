#!/usr/bin/env node
import { randomUUID } from 'node:crypto';
import { createApp } from './core/app.ts';
import { createNodeHost } from './node/host.ts';
import { serveMcp } from './node/mcp.ts';
import { parseCommandLine, UsageError } from './node/usage.ts';
import { toolCatalog } from './tools/catalog.ts';

// Door 2: MCP over stdio. Stdout belongs to the protocol; everything else goes to stderr.
try {
  const line = parseCommandLine(process.argv.slice(2), 'serve');
  if (line.command !== 'serve')
    throw new UsageError('loci-mcp takes the options of loci that are listed by "loci --help".');
  const app = createApp(createNodeHost({ ...line, dist: import.meta.dirname }), toolCatalog);
  const caller = { thread: line.thread ?? `mcp-${randomUUID()}`, agent: line.agent };
  const end = serveMcp(app, caller, (error) => app.host.log('error', String(error)));
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void end().then(() => process.exit(0)));
  process.stdin.once('end', () => void end());
} catch (error) {
  process.stderr.write(`loci-mcp: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
