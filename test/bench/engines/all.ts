import type { Engine } from '../engine.ts';
import { flexSearch } from './flexsearch.ts';
import { fts5 } from './fts5.ts';
import { lociHybrid, lociLexical } from './loci.ts';
import { lunrEngine } from './lunr.ts';
import { miniSearch } from './minisearch.ts';
import { oramaDefaults, oramaMended, oramaQps, oramaStemmed } from './orama.ts';
import { wink } from './wink.ts';

/** Every engine compared, in the order of the table. */
export const ENGINES: readonly Engine[] = [
  lociHybrid,
  lociLexical,
  fts5,
  wink,
  miniSearch,
  lunrEngine,
  flexSearch,
  oramaMended,
  oramaQps,
  oramaStemmed,
  oramaDefaults,
];
