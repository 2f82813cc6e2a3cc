import { homedir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Contribution, Customizations } from '../core/host.ts';

/** What an extension's manifest says of its files for chats; any of it may be missing or malformed. */
interface Contributes {
  readonly [point: string]: unknown;
}

const POINTS = [
  ['skill', 'chatSkills', 'agentSkillsLocations'],
  ['agent', 'chatAgents', 'agentFilesLocations'],
  ['prompt', 'chatPromptFiles', 'promptFilesLocations'],
] as const;

/** Where the editor, its profile and the installed extensions have skills, custom agents and prompt files. */
export function customizationsOf(context: vscode.ExtensionContext): Customizations {
  const configuration = vscode.workspace.getConfiguration('chat');
  const locations = POINTS.map(([kind, , setting]) => [kind, switches(configuration.get(setting))]);
  return {
    home: homedir(),
    // <profile>/globalStorage/<extension> is our storage; the profile keeps agents and prompts beside globalStorage.
    profile: join(context.globalStorageUri.fsPath, '..', '..', 'prompts'),
    locations: Object.fromEntries(locations),
    contributions: vscode.extensions.all.flatMap(contributionsOf),
  };
}

function switches(value: unknown): Record<string, boolean> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(Object.entries(value).filter(([, on]) => typeof on === 'boolean'));
}

function contributionsOf({ id, extensionPath, packageJSON }: vscode.Extension<unknown>): Contribution[] {
  const contributes = (packageJSON as { contributes?: Contributes } | undefined)?.contributes ?? {};
  return POINTS.flatMap(([kind, point]) => {
    const entries = contributes[point];
    if (!Array.isArray(entries)) return [];
    return entries.flatMap((entry: unknown): Contribution[] => {
      const { path, name, description } = (entry ?? {}) as Record<string, unknown>;
      if (typeof path !== 'string') return [];
      const said = {
        ...(typeof name === 'string' && { name }),
        ...(typeof description === 'string' && { description }),
      };
      return [{ kind, owner: id, path: join(extensionPath, path), ...said }];
    });
  });
}
