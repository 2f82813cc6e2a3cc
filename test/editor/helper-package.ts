import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createVSIX } from '@vscode/vsce';
import { build } from 'esbuild';
import { root } from '../../src/build/root.ts';

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
    const vsix = join(root, 'test-results', 'helper.vsix');
    await createVSIX({
      cwd: folder,
      packagePath: vsix,
      dependencies: false,
      allowMissingRepository: true,
      skipLicense: true,
    });
    return vsix;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
