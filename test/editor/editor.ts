import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEditorServer } from '../../src/build/editor-server.ts';
import { openBrowser, type WindowSize } from './browser.ts';
import { drive, type Editor, token } from './drive.ts';
import { packageHelper } from './helper-package.ts';
import { startModel } from './model.ts';
import { keepLogs, writeUserData } from './user-data.ts';

export interface EditorOptions {
  /** Folder that is copied and opened. */
  readonly workspace: string;
  /** VSIX files to install. */
  readonly extensions: readonly string[];
  /** Added to the user's settings. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly size?: WindowSize;
}

/** Starts everything; what has been started is ended again when a later part fails. */
export async function startEditor(options: EditorOptions): Promise<Editor> {
  const place = await mkdtemp(join(tmpdir(), 'loci-editor-'));
  const ends: (() => Promise<unknown>)[] = [() => rm(place, { recursive: true, force: true, maxRetries: 5 })];
  const close = async () => {
    for (const end of ends.splice(0).reverse()) await end();
  };
  const userData = join(place, 'user-data');
  const printed: string[] = [];
  try {
    const folder = join(place, 'workspace');
    await cp(options.workspace, folder, { recursive: true });
    const model = await startModel();
    ends.push(model.close);
    await writeUserData(userData, model.url, options.settings);
    const channel = join(place, 'channel');
    const server = await startEditorServer({
      userData,
      extensions: join(place, 'extensions'),
      install: [await packageHelper(), ...options.extensions],
      env: { LOCI_TEST_CHANNEL: channel, LOCI_TEST_TOKEN: token },
      log: (text) => printed.push(text),
    });
    ends.push(server.stop);
    const browser = await openBrowser(join(place, 'profile'), options.size ?? { width: 1500, height: 950 });
    ends.push(() => browser.close());
    const page = browser.pages()[0] ?? (await browser.newPage());
    page.on('console', (message) => printed.push(`browser: ${message.text()}\n`));
    await page.goto(`${server.url}/?folder=${encodeURIComponent(folder)}`);
    await page.waitForSelector('.monaco-workbench', { timeout: 60_000 });
    return await drive({ page, folder, model, channel, close, keepLogs: (name) => keepLogs(name, userData, printed) });
  } catch (error) {
    await keepLogs('start', userData, printed);
    await close();
    throw new Error('The editor did not start; test-results/start-logs holds what it logged.', { cause: error });
  }
}
