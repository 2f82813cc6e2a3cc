import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { results } from './results.ts';

/** Writes the settings of an editor whose only language model is the scripted one at `modelUrl`. */
export async function writeUserData(
  folder: string,
  modelUrl: string,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await mkdir(join(folder, 'User'), { recursive: true });
  const scripted = {
    id: 'scripted',
    name: 'Scripted',
    url: modelUrl,
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

/** Copies what the editor logged, and what its server and page printed, to the folder `test-results/NAME-logs`. */
export async function keepLogs(name: string, userData: string, printed: readonly string[]): Promise<void> {
  const kept = join(results, `${name}-logs`);
  await rm(kept, { recursive: true, force: true });
  await mkdir(kept, { recursive: true });
  await writeFile(join(kept, 'printed.log'), printed.join(''));
  await cp(join(userData, 'logs'), kept, { recursive: true }).catch(() => {
    // It failed before it logged anything.
  });
}
