#!/usr/bin/env node
import { type App, createApp } from './core/app.ts';
import { errorText } from './core/errors.ts';
import { runCommandLine } from './node/commands.ts';
import { createNodeHost } from './node/host.ts';
import { parseCommandLine, UsageError, usage } from './node/usage.ts';
import { toolCatalog } from './tools/catalog.ts';

// Door 3: the command line. Exit code 0; 1 for an error the caller can mend; 2 for a wrong command line.
const interrupt = new AbortController();
process.once('SIGINT', () => interrupt.abort());
// A reader that has seen enough, such as head, is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});
let app: App | undefined;
try {
  const line = parseCommandLine(process.argv.slice(2));
  const open = () => {
    app ??= createApp(createNodeHost({ ...line, dist: import.meta.dirname }), toolCatalog);
    return app;
  };
  process.exitCode = await runCommandLine(line, open, interrupt.signal);
} catch (error) {
  if (error instanceof UsageError) {
    process.stderr.write(`loci: ${error.message}\n\n${usage}\n`);
    process.exitCode = 2;
  } else {
    process.stderr.write(`loci: ${interrupt.signal.aborted ? 'stopped.' : errorText(error)}\n`);
    process.exitCode = interrupt.signal.aborted ? 130 : 1;
  }
} finally {
  await app?.dispose();
}
