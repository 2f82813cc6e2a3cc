import { existsSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '../core/errors.ts';
import { chromium } from './chromium.ts';
import { codeServer } from './code-server.ts';
import { runCommand } from './command.ts';
import { bundle, packageVsix } from './package.ts';
import { root } from './root.ts';
import { sandboxPrograms } from './sandbox.ts';

interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

interface Step {
  readonly name: string;
  readonly title: string;
  /** Steps whose failure makes this one pointless. */
  readonly after?: readonly string[];
  /** Counts of the tests it ran; a check without tests counts only when it fails. */
  run(): Promise<Counts>;
}

const nothing: Counts = { passed: 0, failed: 0, skipped: 0 };
const failure: Counts = { ...nothing, failed: 1 };

const steps: readonly Step[] = [
  { name: 'bundle', title: 'Bundle', run: () => built(bundle) },
  check('generated', 'Generated files are current', 'src/build/generate.ts', '--check'),
  check('types', 'Types', 'node_modules/typescript/bin/tsc', '--project', '.', '--noEmit'),
  check('lint', 'Format and lint', 'node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings'),
  check('unused', 'Unused code and dependencies', 'node_modules/knip/bin/knip.js'),
  {
    name: 'unit',
    title: 'Unit, property, house and door tests',
    async run() {
      await sandboxPrograms();
      return vitest('unit');
    },
  },
  { name: 'package', title: 'Package', after: ['bundle'], run: () => built(packageVsix) },
  {
    name: 'editor',
    title: "Tests in VS Code with Copilot's agent mode",
    after: ['bundle', 'package'],
    async run() {
      const there = await built(async () => {
        await codeServer();
        await chromium();
      });
      return there.failed > 0 ? there : vitest('editor', '--config', 'test/editor/vitest.config.ts');
    },
  },
];

async function built(build: () => Promise<unknown>): Promise<Counts> {
  try {
    await build();
    return nothing;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    console.log(`${error.message}\n${error.next}`);
    return failure;
  }
}

function check(name: string, title: string, ...args: readonly string[]): Step {
  return {
    name,
    title,
    async run() {
      const { code, output } = await runCommand(process.execPath, args, { cwd: root });
      if (code === 0) return nothing;
      console.log(output.trim());
      return failure;
    },
  };
}

async function vitest(name: string, ...args: readonly string[]): Promise<Counts> {
  const report = join(root, 'test-results', `${name}.json`);
  await mkdir(join(root, 'test-results'), { recursive: true });
  await rm(report, { force: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const { code } = await runCommand(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', ...reporters, ...args],
    { cwd: root, show: true },
  );
  if (!existsSync(report)) return failure;
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(
    await readFile(report, 'utf8'),
  ) as Record<string, number>;
  // A file that cannot be loaded, or an error outside a test, fails the run without failing a test.
  const failed = code === 0 ? 0 : Math.max(1, numFailedTests ?? 0);
  return { passed: numPassedTests ?? 0, failed, skipped: (numPendingTests ?? 0) + (numTodoTests ?? 0) };
}

/** Runs the steps in order, all of them whatever fails, and prints one closing line. Returns whether all passed. */
async function main(wanted: readonly string[]): Promise<boolean> {
  const unknown = wanted.filter((name) => !steps.some((step) => step.name === name));
  if (unknown.length > 0) {
    console.error(
      `There is no step ${unknown.join(', ')}; the steps are ${steps.map((step) => step.name).join(', ')}.`,
    );
    return false;
  }
  const failed = new Set<string>();
  let sum = nothing;
  for (const { name, title, after = [], run } of steps) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    console.log(`\n=== ${title}`);
    if (after.some((earlier) => failed.has(earlier))) {
      console.log('Not run, because an earlier step failed.');
      continue;
    }
    const started = Date.now();
    const counts = await run();
    if (counts.failed > 0) failed.add(name);
    sum = {
      passed: sum.passed + counts.passed,
      failed: sum.failed + counts.failed,
      skipped: sum.skipped + counts.skipped,
    };
    console.log(`${counts.failed > 0 ? 'FAILED' : 'ok'}, ${((Date.now() - started) / 1000).toFixed(1)} s`);
  }
  console.log(`\n${failed.size > 0 ? `Failed: ${[...failed].join(', ')}.` : 'All steps passed.'}`);
  console.log(`${sum.passed} passed, ${sum.failed} failed${sum.skipped > 0 ? `, ${sum.skipped} skipped` : ''}`);
  return failed.size === 0;
}

process.exitCode = (await main(process.argv.slice(2))) ? 0 : 1;
