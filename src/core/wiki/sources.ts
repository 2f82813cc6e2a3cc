import type { WikiGraph } from './graph.ts';
import type { Learning } from './learning.ts';

/** What pages are rendered from. */
export interface Sources {
  readonly learnings: ReadonlyMap<string, Learning>;
  readonly graph: WikiGraph | undefined;
}

/** Part of a longer answer. */
export interface Window {
  readonly limit: number;
  readonly offset: number;
}

/** Learnings a page shows: those in force. */
export function activeLearnings({ learnings }: Sources): Learning[] {
  return [...learnings.values()].filter(({ status }) => status === 'active');
}
