import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { afterAll, expect } from 'vitest';
import { type App, createApp } from '../../src/core/app.ts';
import type { Run } from '../../src/core/budget.ts';
import type { ChatStores, Customizations, Host } from '../../src/core/host.ts';
import { parseSettings, type SettingName } from '../../src/core/settings.ts';
import { serve } from '../../src/core/util/rpc.ts';
import { createServices } from '../../src/core/worker-app.ts';
import { toolCatalog, toolNamed } from '../../src/tools/catalog.ts';
import { type Call, type Outcome, runTool } from '../../src/tools/run.ts';

const root = join(import.meta.dirname, '../..');

/** Files by relative path; a folder of the sample workspace by its own. */
export type Files = Readonly<Record<string, string | Uint8Array>>;

/** A workspace on disk with the tools over it, the index in this process instead of a worker. */
export interface Workspace {
  readonly folder: string;
  readonly storage: string;
  readonly app: App;
  readonly logged: string[];
  call(name: string, input?: unknown, run?: Run, more?: Partial<Call>): Promise<Outcome>;
  /** Calls a tool that must succeed and returns its result. */
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever the tool returns
  ask(name: string, input?: unknown): Promise<any>;
  /** Calls a tool that must refuse and returns what it says. */
  refuse(name: string, input: unknown): Promise<Refusal>;
  write(files: Files): void;
  /** The id that `find` gives for a name. */
  idOf(name: string): Promise<string>;
  close(): Promise<void>;
}

export interface Refusal {
  readonly error: string;
  readonly error_code: string;
  readonly next_step: string;
  readonly index_status: { readonly status: string };
}

/** The form of an id, but of no node. */
export const NOWHERE = '01234567-89ab-8def-8123-456789abcdef';

export interface WorkspaceOptions {
  readonly settings?: Partial<Record<SettingName, unknown>>;
  readonly excludes?: readonly string[];
  readonly chats?: Partial<ChatStores>;
  readonly trusted?: boolean;
  readonly customizations?: Partial<Customizations>;
  /** Keeps the index of another workspace. */
  readonly storage?: string;
  readonly folder?: string;
}

const made: string[] = [];
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

/** Makes a folder that is removed after the tests of the file. */
export function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'loci test ü-'));
  made.push(folder);
  return folder;
}

export function sampleWorkspace(options: WorkspaceOptions = {}): Workspace {
  const folder = temporary();
  cpSync(join(root, 'test/fixtures/sample-workspace'), folder, { recursive: true });
  return openWorkspace({}, { excludes: ['docs/archive'], ...options, folder });
}

export function openWorkspace(files: Files, options: WorkspaceOptions = {}): Workspace {
  const folder = options.folder ?? temporary();
  const storage = options.storage ?? temporary();
  const logged: string[] = [];
  const write = (more: Files) => {
    for (const [path, content] of Object.entries(more)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
  };
  write(files);
  const { settings } = parseSettings((name) => options.settings?.[name]);
  const host: Host = {
    storage,
    media: join(root, 'media'),
    folders: () => [{ name: 'ws', path: folder }],
    settings: () => settings,
    trusted: () => options.trusted ?? true,
    excludes: () => options.excludes ?? [],
    chats: () => ({ userData: [], home: join(storage, 'no home'), editor: false, ...options.chats }),
    customizations: () => ({
      home: storage,
      profile: undefined,
      locations: {},
      contributions: [],
      ...options.customizations,
    }),
    secret: async () => undefined,
    log: (level, message) => void logged.push(`${level}: ${message}`),
    now: Date.now,
    startIndexer() {
      const { port1, port2 } = new MessageChannel();
      const { emit } = serve(
        port2,
        createServices((event, value) => emit(event, value)),
      );
      return { port: port1, onExit() {}, stop: async () => port1.close() };
    },
  };
  const app = createApp(host, toolCatalog);
  const call = (name: string, input: unknown = {}, run?: Run, more: Partial<Call> = {}) =>
    runTool(toolNamed(name)!, input, { app, run, ...more });
  const ask: Workspace['ask'] = async (name, input) => {
    const { ok, result } = await call(name, input);
    if (!ok) throw new Error(`${name}: ${result.error} ${result.next_step}`);
    return result;
  };
  return {
    folder,
    storage,
    app,
    logged,
    call,
    ask,
    write,
    async refuse(name, input) {
      const { ok, result } = await call(name, input);
      expect(ok).toBe(false);
      expect(result).toMatchObject({ success: false });
      return result as unknown as Refusal;
    },
    idOf: async (name) => (await ask('find', { name })).items[0].path_part_id as string,
    close: () => app.dispose(),
  };
}

/** Size of a result as the editor counts it. */
export function resultBytes(result: object): number {
  return Buffer.byteLength(JSON.stringify(result), 'utf8');
}
