import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import type * as vscode from 'vscode';
import type { Script, ScriptedModel, Turn } from './model.ts';
import { results } from './results.ts';
import { until } from './until.ts';

/** A real VS Code with Copilot's agent mode on a scripted model, open on a copy of a workspace in a real browser. */
export interface Editor {
  readonly page: Page;
  /** The copy of the workspace that is open. */
  readonly folder: string;
  /** Runs a function in the extension host; it may use nothing but `vscode` and its arguments, which travel as JSON. */
  evaluate<A extends unknown[], R>(run: (api: typeof vscode, ...args: A) => R | PromiseLike<R>, ...args: A): Promise<R>;
  /** Asks Copilot's agent mode in a new chat, or in the open one, and plays the model's side. */
  ask(question: string, script: Script, options?: { readonly sameChat?: boolean }): Promise<Turn>;
  /** Changes a setting of the user. */
  set(name: string, value: unknown): Promise<void>;
  /** Saves a picture of the window as `test-results/NAME.png`. */
  picture(name: string): Promise<void>;
  /** Keeps what the editor and its extensions logged as the folder `test-results/NAME-logs`. */
  keepLogs(name: string): Promise<void>;
  /** Shuts the window, waits until its extensions have ended, does something meanwhile, and opens it again. */
  reopen(meanwhile: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

/** Shared with the helper extension, which answers nobody else. */
export const token = randomUUID();

export interface Parts extends Pick<Editor, 'page' | 'folder' | 'keepLogs' | 'close'> {
  readonly model: ScriptedModel;
  /** File into which the helper extension writes its port. */
  readonly channel: string;
}

/** Drives an editor whose parts have been started; waits until its agent is ready. */
export async function drive({ model, channel, ...parts }: Parts): Promise<Editor> {
  const { page } = parts;
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
  await enableAgent(evaluate);
  return {
    ...parts,
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
      // Done or, at most, about to be: an agent that gave up before the script's end would leave the test waiting.
      const broken = sleep(20_000, undefined, { ref: false }).then(() => {
        throw new Error('The chat ended before the model had given its last answer.');
      });
      return Promise.race([turn, broken]);
    },
    async set(name, value) {
      await evaluate(
        (api, key, wanted) => api.workspace.getConfiguration().update(key, wanted, api.ConfigurationTarget.Global),
        name,
        value,
      );
    },
    async picture(name) {
      await mkdir(results, { recursive: true });
      await page.screenshot({ path: join(results, `${name}.png`) });
    },
    async reopen(meanwhile) {
      const url = page.url();
      const port = await readFile(channel, 'utf8');
      await page.goto('about:blank');
      await until(
        'the extension host has ended',
        () =>
          fetch(`http://127.0.0.1:${port}`).then(
            () => false,
            () => true,
          ),
        60_000,
      );
      await rm(channel, { force: true });
      await meanwhile();
      await page.goto(url);
      await page.waitForSelector('.monaco-workbench', { timeout: 60_000 });
      await enableAgent(evaluate);
    },
  };
}

/** The bundled Copilot extension is off until chat is set up; without a sign-in that takes a setting and this command. */
async function enableAgent(evaluate: Editor['evaluate']): Promise<void> {
  await until(
    'the scripted model is offered to the agent',
    () =>
      evaluate(async (api) => {
        const models = await api.lm.selectChatModels({ vendor: 'customendpoint' });
        if (models.length > 0) return true;
        await api.commands.executeCommand('workbench.action.chat.triggerSetupAnonymousWithoutDialog');
        return false;
      }),
    90_000,
  );
}
