import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { root } from '../../src/build/root.ts';
import type { Editor } from './drive.ts';
import { type EditorOptions, startEditor } from './editor.ts';
import type { ToolResult } from './model.ts';

/** Opens the sample workspace in an editor that has the VSIX of this version installed, as users get it. */
export function startLoci(options: Partial<EditorOptions> = {}): Promise<Editor> {
  const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
  };
  return startEditor({
    workspace: join(root, 'test', 'fixtures', 'sample-workspace'),
    extensions: [join(root, `${name}-${version}.vsix`)],
    ...options,
  });
}

/**
 * One editor for the tests of a `describe`. Of a test that fails it keeps a picture, and at the end the logs, in
 * test-results/ under `name`.
 */
export function useLoci(name: string): { readonly editor: Editor } {
  let editor: Editor | undefined;
  let failures = 0;
  beforeAll(async () => {
    editor = await startLoci();
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await editor?.picture(`${name}-failure-${++failures}`);
  });
  afterAll(async () => {
    if (failures > 0) await editor?.keepLogs(name);
    await editor?.close();
  });
  return {
    get editor() {
      if (editor === undefined) throw new Error('The editor has not been started.');
      return editor;
    },
  };
}

/** The JSON of a tool's result that must be a success. */
export function answer<T>(result: ToolResult): T & Budgeted {
  const parsed = outcome(result);
  if (!parsed.success) throw new Error(`The tool refused: ${result.text}`);
  return parsed as T & Budgeted;
}

/** The JSON of a tool's result, success or not. Where a picture goes with it, the editor adds a line of its own below. */
export function outcome(result: ToolResult): Budgeted {
  const text = result.text.split('\n\n[Image URI:')[0] ?? '';
  try {
    return JSON.parse(text) as Budgeted;
  } catch (error) {
    throw new Error(`Not the JSON of a tool's result: ${result.text.slice(0, 500)}`, { cause: error });
  }
}

/** Of a search's answer, what the tests look at. */
export interface Hits {
  readonly results: readonly {
    readonly path_part_id: string;
    readonly document_id: string;
    readonly path: string;
    readonly content: string;
  }[];
}

/** Of a document's or section's answer, what the tests look at. */
export interface Reading {
  readonly mode: string;
  readonly sections?: readonly { readonly path_part_id: string; readonly heading: string }[];
  readonly chunks?: readonly { readonly path_part_id: string; readonly content: string; readonly images?: number }[];
}

/** Of a list's answer, what the tests look at. */
export interface Items {
  readonly items: readonly { readonly path_part_id: string; readonly name: string }[];
}

/** What every outcome says: how it went, and the calls that its run has left. */
export interface Budgeted {
  readonly success: boolean;
  readonly calls_remaining?: number;
  readonly budget_warning?: string;
  readonly repeated_call?: string;
  readonly error_code?: string;
  readonly next_step?: string;
}
