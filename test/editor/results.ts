import { join } from 'node:path';
import { root } from '../../src/build/root.ts';

/** Folder of pictures, logs and reports of a test run; git ignores it. */
export const results = join(root, 'test-results');
