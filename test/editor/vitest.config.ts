import { defineConfig } from 'vitest/config';

// An editor takes seconds to start and both cores to run, so the files run one after the other.
export default defineConfig({
  test: {
    include: ['test/editor/**/*.test.ts'],
    root: '.',
    testTimeout: 120_000,
    hookTimeout: 300_000,
    pool: 'forks',
    fileParallelism: false,
  },
});
