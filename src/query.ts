import { Worker } from 'node:worker_threads';
import { answerFile } from './core/sql/engine/answer-file.ts';
import type { FileRequest } from './core/sql/engine/protocol.ts';

// Door 6: a process for one query over files, which can be killed. It answers one request and ends.

/** Time over the query's own limit, in milliseconds, after which the process ends itself. */
const GRACE_MS = 5000;

/**
 * Ends this process when the one that asked is gone, or long after the time limit: nobody else would. A thread of its own,
 * since SQLite keeps this one busy.
 */
function watch({ limits }: FileRequest): void {
  const code = `
    const { workerData } = require('node:worker_threads');
    const end = () => process.kill(process.pid, 'SIGKILL');
    setInterval(() => process.ppid === workerData.parent || end(), 500);
    setTimeout(end, workerData.milliseconds);`;
  const workerData = { parent: process.ppid, milliseconds: limits.milliseconds + GRACE_MS };
  new Worker(code, { eval: true, workerData }).unref();
}

process.once('message', async (message) => {
  const request = message as FileRequest;
  watch(request);
  process.send?.(await answerFile(request), () => process.disconnect());
});
