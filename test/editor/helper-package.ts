import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { pack } from '../../src/build/package.ts';
import { results } from './results.ts';

const source = join(import.meta.dirname, 'helper');

/** Packs the test-only extension and returns the path of its VSIX. */
export async function packageHelper(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'loci-helper-'));
  try {
    await cp(join(source, 'package.json'), join(folder, 'package.json'));
    await build({
      entryPoints: [join(source, 'extension.ts')],
      outfile: join(folder, 'extension.js'),
      bundle: true,
      platform: 'node',
      format: 'esm',
      external: ['vscode'],
      logLevel: 'error',
    });
    const vsix = join(results, 'helper.vsix');
    await mkdir(results, { recursive: true });
    await pack(folder, vsix);
    return vsix;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
