// Bundles the doors, the .ts files directly in src/, into dist/. What they share becomes chunks beside them, so that a
// door loads only what it runs.
import { copyFileSync, cpSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import * as esbuild from 'esbuild';

const require = createRequire(import.meta.url);
// A door that is running goes on with the old folder until the new one is whole.
const dist = 'dist';
const out = 'dist.new';
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });

const options = {
  entryPoints: readdirSync('src')
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join('src', name)),
  outdir: out,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  // Some packages' CommonJS builds (jsonc-parser) hide their requires from bundlers.
  mainFields: ['module', 'main'],
  target: 'node20',
  minify: true,
  keepNames: true,
  external: ['vscode', '@tensorflow/*'],
  legalComments: 'external',
  // CommonJS packages in the bundle call require for Node's own modules, and look for their files in __dirname.
  banner: {
    js: "import { createRequire as bundleRequire } from 'node:module'; const require = bundleRequire(import.meta.url); const __dirname = import.meta.dirname;",
  },
  logLevel: 'warning',
};

copyFileSync(require.resolve('@hyzyla/pdfium/pdfium.wasm'), join(out, 'pdfium.wasm'));
copyFileSync(require.resolve('@polyglot-sql/sdk/polyglot_sql.wasm'), join(out, 'polyglot_sql.wasm'));
copyFileSync(join(dirname(require.resolve('libpg-query')), 'libpg-query.wasm'), join(out, 'libpg-query.wasm'));
// What the sandbox starts beside a command: found in `vendor/` beside the bundle.
const sandbox = dirname(dirname(require.resolve('@anthropic-ai/sandbox-runtime')));
for (const file of [
  'seccomp/x64/apply-seccomp',
  'seccomp/arm64/apply-seccomp',
  'java-proxy-agent/srt-proxy-agent.jar',
]) {
  cpSync(join(sandbox, 'vendor', file), join(out, 'vendor', file));
}
await esbuild.build(options);
rmSync(dist, { recursive: true, force: true });
renameSync(out, dist);
