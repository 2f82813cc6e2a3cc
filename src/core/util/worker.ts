import { Worker } from 'node:worker_threads';
import type { IndexerThread } from '../host.ts';

/** Starts the worker thread of a bundled door and watches over its end. */
export function startWorker(script: string): IndexerThread {
  const worker = new Worker(script);
  let stopping = false;
  let failure = '';
  worker.on('error', (error) => {
    failure = error instanceof Error ? (error.stack ?? error.message) : String(error);
  });
  return {
    port: worker,
    onExit(listener) {
      worker.on('exit', (code) => {
        if (!stopping) listener(failure || `exit code ${code}`);
      });
    },
    async stop() {
      stopping = true;
      await worker.terminate();
    },
  };
}
