// Runs one of the project's scripts on any Node >= 18 with npm: installs the dependencies when they are missing or out
// of date, then hands over to the project's own Node (the dev dependency `node`), which runs TypeScript as it is.
// Plain JavaScript without dependencies, because nothing is installed yet when it starts.
// Usage: node src/build/run.mjs NAME [arguments]
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, utimesSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const windows = process.platform === 'win32';

const scripts = {
  start: 'src/build/start.ts',
  test: 'src/build/test.ts',
  build: 'esbuild.mjs',
  generate: 'src/build/generate.ts',
  package: 'src/build/package.ts',
  bench: 'test/bench/bench.ts',
  'train:embedding': 'src/build/embedding/train.ts',
  pictures: 'test/editor/pictures.ts',
};

const causes = [
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT/,
    'The npm registry cannot be reached. Check the network, or a proxy with "npm config get proxy", and run this again.',
  ],
  [/ENOSPC/, 'The disk is full. Loci needs about 1 GB for its dependencies; make room and run this again.'],
  [
    /EACCES|EPERM/,
    'npm may not write here. Make the clone and the npm cache ("npm config get cache") yours and run this again.',
  ],
  [
    /EBADENGINE|Unsupported engine/,
    'A dependency refuses this version of Node. Install the current long-term version and run this again.',
  ],
  [
    /EUSAGE|can only install packages when/,
    'package.json and package-lock.json disagree. Run "npm install" once and look at what changed.',
  ],
];

/** Ends the run with one plain sentence instead of a stack. */
function fail(message) {
  console.error(`\nloci: ${message}`);
  process.exit(1);
}

/** Runs npm in the project and returns its exit code with the end of what it printed, which is shown as it comes. */
function npm(args) {
  return new Promise((resolve) => {
    const child = spawn('npm', args, { cwd: root, shell: windows, stdio: ['ignore', 'pipe', 'pipe'] });
    const started = Date.now();
    const sign = setInterval(
      () => console.log(`  still installing, ${Math.round((Date.now() - started) / 1000)} s`),
      15_000,
    );
    let printed = '';
    for (const [from, to] of [
      [child.stdout, process.stdout],
      [child.stderr, process.stderr],
    ]) {
      from.on('data', (data) => {
        printed = (printed + data).slice(-50_000);
        to.write(data);
      });
    }
    child.on('error', (error) => (printed += error.message));
    child.on('close', (code) => {
      clearInterval(sign);
      resolve({ code: code ?? 1, printed });
    });
  });
}

function checkVersions() {
  const node = Number(process.versions.node.split('.')[0]);
  if (node < 18)
    fail(
      `Node ${process.versions.node} is too old; Loci needs Node 18 or newer. Get it from nodejs.org and run this again.`,
    );
  const asked = spawnSync('npm', ['--version'], { encoding: 'utf8', shell: windows });
  if (asked.status !== 0)
    fail('npm is not there. It comes with Node: install Node from nodejs.org and run this again.');
  if (Number(asked.stdout.split('.')[0]) < 8) {
    fail(
      `npm ${asked.stdout.trim()} is too old; Loci needs npm 8 or newer. Run "npm install --global npm" and then this again.`,
    );
  }
}

const lock = join(root, 'package-lock.json');
const installed = join(root, 'node_modules', '.package-lock.json');

async function installDependencies() {
  const fresh = !existsSync(installed);
  if (!fresh && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return;
  console.log(fresh ? 'Installing the dependencies (once, a minute or two) ...' : 'Updating the dependencies ...');
  const { code, printed } = await npm(
    fresh ? ['ci', '--no-audit', '--no-fund'] : ['install', '--no-save', '--no-audit', '--no-fund'],
  );
  if (code !== 0) {
    const cause = causes.find(([pattern]) => pattern.test(printed));
    fail(`npm could not install the dependencies. ${cause ? cause[1] : 'What it printed above says why.'}`);
  }
  utimesSync(installed, new Date(), new Date());
}

/** The path of the project's own Node; where npm does not run install scripts, that of the package `node` is run here. */
function projectNode() {
  const folder = join(root, 'node_modules', 'node');
  const binary = join(folder, 'bin', windows ? 'node.exe' : 'node');
  if (!existsSync(binary) && existsSync(folder)) {
    console.log(
      `Fetching Node ${JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version} for the scripts ...`,
    );
    spawnSync(process.execPath, ['installArchSpecificPackage.js'], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }
  if (existsSync(binary)) return binary;
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
  return fail(
    `the npm package "node" has no binary for ${process.platform} ${process.arch}. Install Node 24 or newer from nodejs.org, put it first on PATH and run this again.`,
  );
}

const [name, ...args] = process.argv.slice(2);
const script = Object.hasOwn(scripts, name ?? '') ? scripts[name] : undefined;
if (script === undefined) fail(`usage: node src/build/run.mjs ${Object.keys(scripts).join('|')} [arguments]`);
checkVersions();
await installDependencies();
const node = projectNode();
const path = [dirname(node), join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter);
// The trainer holds millions of pairs at once; everything else is far from Node's usual limit.
const heap = name === 'train:embedding' ? ['--max-old-space-size=8192'] : [];
const child = spawn(node, [...heap, join(root, script), ...args], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, PATH: path },
});
// The script ends what it started and only then itself, so a signal is passed on and its end waited for.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('error', (error) => fail(`cannot run ${node}: ${error.message}`));
child.on('close', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)));
