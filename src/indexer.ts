import { parentPort } from 'node:worker_threads';
import { createIndexer } from './core/indexer-app.ts';
import { serve } from './core/util/rpc.ts';

// Door 4: the worker thread that reads, cuts, embeds and searches, so that no other thread waits for it.
const port = parentPort;
if (!port) throw new Error('indexer.js runs as a worker thread only');
const { emit } = serve(
  port,
  createIndexer(
    (level, message) => emit('log', { level, message }),
    (event, value) => emit(event, value),
  ),
);
