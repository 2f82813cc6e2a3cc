import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheFolder } from './root.ts';

/** What `npm start` opens. */
export interface Opening {
  /** The VSIX to install. */
  readonly vsix: string;
  readonly folder: string;
  /** True for Loci's own sample workspace, which may be trusted without asking. */
  readonly sample: boolean;
}

export interface Profile {
  readonly userData: string;
  readonly extensions: string;
}

const settings = {
  'workbench.startupEditor': 'none',
  'telemetry.telemetryLevel': 'off',
  // With this Copilot's chat can be set up without an account, for people who bring their own model.
  'chat.allowAnonymousAccess': true,
};

/** Folders of an editor that is Loci's alone, so that nobody's own editor changes by a try. */
export async function ownProfile(editor: 'desktop' | 'browser', { sample }: Opening): Promise<Profile> {
  const place = join(cacheFolder(), sample ? `${editor}-sample` : editor);
  const userData = join(place, 'user-data');
  await mkdir(join(userData, 'User'), { recursive: true });
  const wanted = sample ? { ...settings, 'security.workspace.trust.enabled': false } : settings;
  const file = join(userData, 'User', 'settings.json');
  await writeFile(file, `${JSON.stringify(wanted, null, 2)}\n`, { flag: 'wx' }).catch((error) => {
    // Settings of an earlier start are the person's.
    if (error.code !== 'EEXIST') throw error;
  });
  return { userData, extensions: join(place, 'extensions') };
}

/** Says once the editor is up how to go on. */
export function sayHowToAsk(): void {
  console.log(
    'In the chat (Ctrl+Alt+I) choose Agent, sign in or add a model of your own, and ask about the workspace.',
  );
}
