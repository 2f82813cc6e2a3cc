import { cp, mkdir, mkdtemp, rename, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { UserError } from '../core/errors.ts';
import { openBrowser } from './open-browser.ts';
import { desktopEditor, openDesktop } from './open-desktop.ts';
import { bundle, packageVsix } from './package.ts';
import { cacheFolder, root } from './root.ts';

const usage = `npm start [-- [FOLDER] [--here] [--browser]]
  FOLDER     the folder to open; without it a copy of the sample workspace
  --here     install Loci into your own VS Code, not into a profile of its own
  --browser  use the editor in the browser even where VS Code is installed`;

async function main(): Promise<void> {
  const { values, positionals } = options();
  if (values.help) return console.log(usage);
  const [given] = positionals;
  const folder = given === undefined ? await sampleWorkspace() : await existingFolder(given);
  console.log('Bundling the extension ...');
  await bundle();
  console.log('Packaging it ...');
  const opening = { folder, sample: given === undefined, vsix: await packageVsix() };
  const code = values.browser ? undefined : desktopEditor();
  if (code !== undefined) return openDesktop(code, opening, values.here);
  if (!values.browser) console.log('The "code" command of VS Code is not here, so the editor opens in the browser.');
  await openBrowser(opening);
}

function options() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        here: { type: 'boolean', default: false },
        browser: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new UserError('usage', (error as Error).message, usage);
  }
}

async function existingFolder(given: string): Promise<string> {
  // npm runs scripts in the project's folder and tells in INIT_CWD where the person stood.
  const folder = resolve(process.env.INIT_CWD ?? '.', given);
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory()) return folder;
  throw new UserError('no_folder', `There is no folder ${folder}.`, 'Name another, or none for the sample workspace.');
}

/** A copy in the cache folder, made once, so that what a person edits stays theirs and the clone stays clean. */
async function sampleWorkspace(): Promise<string> {
  const copy = join(cacheFolder(), 'sample-workspace');
  if (!(await stat(copy).catch(() => undefined))) {
    await mkdir(cacheFolder(), { recursive: true });
    const aside = await mkdtemp(join(cacheFolder(), 'copying-'));
    await cp(join(root, 'test', 'fixtures', 'sample-workspace'), aside, { recursive: true });
    await rename(aside, copy);
  }
  console.log(`Sample workspace: ${copy} (a copy: edit as you like, remove it to start afresh)`);
  return copy;
}

try {
  await main();
  process.exit(0);
} catch (error) {
  if (!(error instanceof UserError)) throw error;
  console.error(`\nloci: ${error.message}\n${error.next}`);
  process.exit(1);
}
