import { parentPort } from 'node:worker_threads';
import { serve } from './core/util/rpc.ts';
import { createServices } from './core/worker-app.ts';

// Door 4: the worker thread that reads, cuts, embeds and searches, so that no other thread waits for it.
const port = parentPort;
if (!port) throw new Error('indexer.js runs as a worker thread only');
const { emit } = serve(
  port,
  createServices((event, value) => emit(event, value)),
);
