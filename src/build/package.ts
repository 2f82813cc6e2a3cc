import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '../core/errors.ts';
import { runCommand } from './command.ts';
import { root } from './root.ts';

/** Bundles the sources into dist/. Throws a UserError with what esbuild printed. */
export async function bundle(): Promise<void> {
  await step('The bundling', root, [join(root, 'esbuild.mjs')]);
}

/** Packs dist/ and media/ into the VSIX that users install, and returns its path. Needs `bundle` first. */
export async function packageVsix(): Promise<string> {
  const { name, version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
  };
  const vsix = join(root, `${name}-${version}.vsix`);
  await pack(root, vsix);
  return vsix;
}

/** Packs an extension's folder, whose code holds all it needs, into a VSIX file. */
export async function pack(folder: string, vsix: string): Promise<void> {
  const vsce = join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
  const options = [
    '--no-dependencies',
    '--allow-missing-repository',
    '--no-rewrite-relative-links',
    '--skip-license',
    '--out',
    vsix,
  ];
  await step('The packaging', folder, [vsce, 'package', ...options]);
}

async function step(what: string, cwd: string, args: readonly string[]): Promise<void> {
  const { code, output } = await runCommand(process.execPath, args, { cwd });
  if (code !== 0)
    throw new UserError('build_failed', `${what} failed:\n${output.trim()}`, 'Mend what it names and run this again.');
}

if (import.meta.main) {
  console.log('Bundling ...');
  await bundle();
  console.log('Packaging ...');
  console.log(`Wrote ${await packageVsix()}`);
}
