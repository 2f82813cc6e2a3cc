import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll } from 'vitest';
import type { ChatStores } from '../../../src/core/host.ts';

export interface Call {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
  readonly result?: string;
}

export interface Round {
  readonly id: string;
  readonly say?: string;
  readonly calls?: readonly Call[];
}

export interface Turn {
  readonly ask: string;
  readonly rounds?: readonly Round[];
  /** Copilot's compaction: the round it replaces, and the summary. */
  readonly summary?: { readonly round: string; readonly text: string };
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** The state of a chat as VS Code keeps it while Copilot's agent mode answers. */
export function chatState(id: string, turns: readonly Turn[], more: Readonly<Record<string, unknown>> = {}): object {
  return {
    version: 3,
    sessionId: id,
    creationDate: 1_760_000_000_000,
    requests: turns.map((turn, i) => request(turn, i)),
    inputState: { selectedModel: { identifier: 'test/model', metadata: { maxInputTokens: 50_000 } } },
    ...more,
  };
}

export function request({ ask, rounds = [], summary, extra }: Turn, ordinal: number): object {
  const calls = rounds.flatMap((round) => round.calls ?? []);
  return {
    requestId: `request_${ordinal}`,
    timestamp: 1_760_000_000_000 + ordinal * 60_000,
    agent: { id: 'github.copilot.editsAgent' },
    modeInfo: { kind: 'agent', isBuiltin: true, telemetryModeId: 'agent' },
    modelId: 'test/model',
    message: { text: ask, parts: [] },
    response: [],
    variableData: { variables: [] },
    result: {
      metadata: {
        ...(summary && { summary: { toolCallRoundId: summary.round, text: summary.text }, command: 'compact' }),
        toolCallRounds: rounds.map((round, i) => ({
          id: round.id,
          response: round.say ?? '',
          toolCalls: (round.calls ?? []).map(({ id, name, arguments: given }) => ({ id, name, arguments: given })),
          timestamp: 1_760_000_000_000 + ordinal * 60_000 + i * 1000,
          modelId: 'model',
        })),
        toolCallResults: Object.fromEntries(
          calls.flatMap(({ id, result }) =>
            result === undefined ? [] : [[id, { $mid: 20, content: [{ $mid: 21, value: result }] }]],
          ),
        ),
      },
    },
    ...extra,
  };
}

export function jsonLines(records: readonly unknown[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

/** A chat's file as VS Code first writes it. */
export function chatLog(state: object): string {
  return jsonLines([{ kind: 0, v: state }]);
}

const made: string[] = [];
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

export function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'loci threads ü-'));
  made.push(folder);
  return folder;
}

/** The stores of a machine that does not exist but in this folder. */
export interface Machine {
  readonly stores: ChatStores;
  /** The open folder. */
  readonly folder: string;
  /** Writes a file below the editor's `User` folder. */
  user(path: string, content: string): string;
  /** Writes a file below the home folder. */
  home(path: string, content: string): string;
  /** Makes a storage folder of a workspace. */
  workspace(id: string, folder: string): void;
  /** Writes a chat of the open folder. */
  chat(id: string, turns: readonly Turn[]): string;
}

export function machine(): Machine {
  const root = temporary();
  const folder = join(root, 'code', 'acme');
  mkdirSync(folder, { recursive: true });
  const write = (base: string) => (path: string, content: string) => {
    const whole = join(root, base, path);
    mkdirSync(dirname(whole), { recursive: true });
    writeFileSync(whole, content);
    return whole;
  };
  const user = write('User');
  const workspace = (id: string, place: string) =>
    void user(`workspaceStorage/${id}/workspace.json`, JSON.stringify({ folder: pathToFileURL(place).href }));
  workspace('0a1b2c', folder);
  return {
    stores: { userData: [join(root, 'User')], home: join(root, 'home'), editor: true },
    folder,
    user,
    home: write('home'),
    workspace,
    chat: (id, turns) => user(`workspaceStorage/0a1b2c/chatSessions/${id}.jsonl`, chatLog(chatState(id, turns))),
  };
}
