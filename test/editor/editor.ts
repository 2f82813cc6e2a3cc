import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, type Page, chromium as playwright } from 'playwright-core';
import type * as vscode from 'vscode';
import { chromium } from '../../src/build/chromium.ts';
import { startEditorServer } from '../../src/build/editor-server.ts';
import { root } from '../../src/build/root.ts';
import { packageHelper } from './helper-package.ts';
import { type Script, type ScriptedModel, startModel, type Turn } from './model.ts';
import { until } from './until.ts';

export interface EditorOptions {
  /** Folder that is copied and opened. */
  readonly workspace: string;
  /** VSIX files to install. */
  readonly extensions: readonly string[];
  /** Added to the user's settings. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Size of the window in pixels. */
  readonly size?: { readonly width: number; readonly height: number };
}

/** A real VS Code with Copilot's agent mode on a scripted model, open on a copy of a workspace in a real browser. */
export interface Editor {
  readonly page: Page;
  /** The copy of the workspace that is open. */
  readonly folder: string;
  /** Runs a function in the extension host; it may use nothing but `vscode` and its arguments, which travel as JSON. */
  evaluate<A extends unknown[], R>(run: (api: typeof vscode, ...args: A) => R | PromiseLike<R>, ...args: A): Promise<R>;
  /** Asks Copilot's agent mode in a new chat, or in the open one, and plays the model's side. */
  ask(question: string, script: Script, options?: { readonly sameChat?: boolean }): Promise<Turn>;
  /** Saves a picture of the window as `test-results/NAME.png`. */
  picture(name: string): Promise<void>;
  /** Loads the window again: extensions are started anew on what they stored. */
  reload(): Promise<void>;
  close(): Promise<void>;
}

const results = join(root, 'test-results');
const token = 'editor-test';

/** Starts everything; what has been started is ended again when a later part fails. */
export async function startEditor(options: EditorOptions): Promise<Editor> {
  const place = await mkdtemp(join(tmpdir(), 'loci-editor-'));
  const ends: (() => Promise<unknown>)[] = [() => rm(place, { recursive: true, force: true, maxRetries: 5 })];
  const close = async () => {
    for (const end of ends.splice(0).reverse()) await end();
  };
  const printed: string[] = [];
  try {
    const folder = join(place, 'workspace');
    await cp(options.workspace, folder, { recursive: true });
    const model = await startModel();
    ends.push(model.close);
    await writeUserData(join(place, 'user-data'), model, options.settings);
    const channel = join(place, 'channel');
    const server = await startEditorServer({
      userData: join(place, 'user-data'),
      extensions: join(place, 'extensions'),
      install: [await packageHelper(), ...options.extensions],
      env: { LOCI_TEST_CHANNEL: channel, LOCI_TEST_TOKEN: token },
      log: (text) => printed.push(text),
    });
    ends.push(server.stop);
    const browser = await openBrowser(join(place, 'profile'), options.size);
    ends.push(() => browser.close());
    const page = browser.pages()[0] ?? (await browser.newPage());
    page.on('console', (message) => printed.push(`browser: ${message.text()}\n`));
    await page.goto(`${server.url}/?folder=${encodeURIComponent(folder)}`);
    await page.waitForSelector('.monaco-workbench', { timeout: 60_000 });
    const editor = driver(page, folder, model, channel, close);
    await enableAgent(editor);
    return editor;
  } catch (error) {
    await mkdir(results, { recursive: true });
    await writeFile(join(results, 'editor.log'), printed.join(''));
    await close();
    throw new Error(`The editor did not start; test-results/editor.log holds what it printed.`, { cause: error });
  }
}

async function writeUserData(folder: string, model: ScriptedModel, settings: EditorOptions['settings']): Promise<void> {
  await mkdir(join(folder, 'User'), { recursive: true });
  const scripted = {
    id: 'scripted',
    name: 'Scripted',
    url: model.url,
    toolCalling: true,
    vision: true,
    maxInputTokens: 100_000,
    maxOutputTokens: 8_000,
  };
  await writeFile(
    join(folder, 'User', 'chatLanguageModels.json'),
    JSON.stringify([{ name: 'Scripted', vendor: 'customendpoint', apiType: 'chat-completions', models: [scripted] }]),
  );
  await writeFile(
    join(folder, 'User', 'settings.json'),
    JSON.stringify({
      'security.workspace.trust.enabled': false,
      'telemetry.telemetryLevel': 'off',
      'workbench.startupEditor': 'none',
      'chat.allowAnonymousAccess': true,
      ...settings,
    }),
  );
}

async function openBrowser(profile: string, size = { width: 1500, height: 950 }): Promise<BrowserContext> {
  return playwright.launchPersistentContext(profile, {
    executablePath: await chromium(),
    headless: true,
    viewport: size,
    // The machine may be closed to the outside, and then each of the browser's own calls home waits for its limit.
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

function driver(page: Page, folder: string, model: ScriptedModel, channel: string, close: () => Promise<void>): Editor {
  const evaluate: Editor['evaluate'] = async (run, ...args) => {
    const port = await until('the extension host answers', () => readFile(channel, 'utf8').catch(() => ''), 90_000);
    const response = await fetch(`http://127.0.0.1:${port}`, {
      method: 'POST',
      headers: { 'x-token': token },
      body: JSON.stringify({ source: String(run), args }),
    });
    if (!response.ok) throw new Error(`In the extension host: ${await response.text()}`);
    return ((await response.json()) as { value: Awaited<ReturnType<typeof run>> }).value;
  };
  return {
    page,
    folder,
    evaluate,
    async ask(question, script, { sameChat = false } = {}) {
      if (!sameChat) await evaluate((api) => api.commands.executeCommand('workbench.action.chat.newChat'));
      const turn = model.play(script);
      turn.catch(() => {});
      await evaluate(
        (api, query) =>
          api.commands.executeCommand('workbench.action.chat.open', {
            query,
            mode: 'agent',
            modelSelector: { vendor: 'customendpoint', id: 'scripted' },
            blockOnResponse: true,
          }) as PromiseLike<null>,
        question,
      );
      return turn;
    },
    async picture(name) {
      await mkdir(results, { recursive: true });
      await page.screenshot({ path: join(results, `${name}.png`) });
    },
    async reload() {
      await rm(channel, { force: true });
      await page.reload();
      await page.waitForSelector('.monaco-workbench', { timeout: 60_000 });
      await enableAgent(this);
    },
    close,
  };
}

/** The bundled Copilot extension is off until chat is set up; without a sign-in that takes a setting and this command. */
async function enableAgent(editor: Editor): Promise<void> {
  await until(
    'the scripted model is offered to the agent',
    () =>
      editor.evaluate(async (api) => {
        const models = await api.lm.selectChatModels({ vendor: 'customendpoint' });
        if (models.length > 0) return true;
        await api.commands.executeCommand('workbench.action.chat.triggerSetupAnonymousWithoutDialog');
        return false;
      }),
    90_000,
  );
}
