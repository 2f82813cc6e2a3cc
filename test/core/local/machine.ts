import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';
import type { FilesInput } from '../../../src/core/local/files.ts';
import { createLocal, type LocalConfig } from '../../../src/core/local/local.ts';

/** A computer of a test's own: a home with files in it, and the local tools over it. */
export function machine(files: Readonly<Record<string, string | Uint8Array>> = {}, config: Partial<LocalConfig> = {}) {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'loci home ü-')));
  const storage = join(home, '.loci');
  const write = (more: typeof files) => {
    for (const [path, content] of Object.entries(more)) {
      mkdirSync(dirname(join(home, path)), { recursive: true });
      writeFileSync(join(home, path), content);
    }
  };
  write(files);
  const local = createLocal({ now: Date.now, home });
  const ready = local.configure({ storage, workspace: [], trusted: true, blockCredentials: true, ...config });
  afterAll(async () => {
    await local.close();
    rmSync(home, { recursive: true, force: true });
  });
  const input = (action: FilesInput['action'], more: Partial<FilesInput>): FilesInput => ({
    action,
    path: '',
    pattern: '',
    regex: false,
    file_glob: '',
    include_hidden: false,
    start_line: 1,
    start_char: 0,
    max_lines: 400,
    max_results: 100,
    offset: 0,
    content: null,
    overwrite: false,
    destination: '',
    ...more,
  });
  return {
    home,
    own: join(storage, 'files'),
    write,
    has: (path: string) => existsSync(join(home, path)),
    async confirm(action: FilesInput['action'], more: Partial<FilesInput>) {
      await ready;
      return local.methods.confirmFiles(input(action, more));
    },
    // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever the action returns
    async files(action: FilesInput['action'], more: Partial<FilesInput> = {}, signal?: AbortSignal): Promise<any> {
      await ready;
      return local.methods.files(input(action, more), signal);
    },
    async asked(command: string, folder = '') {
      await ready;
      return local.methods.confirmCommand({ command, reason: 'test', working_directory: folder, timeout_seconds: 20 });
    },
    // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever the command returns
    async run(command: string, folder = '', timeout_seconds = 20, signal?: AbortSignal): Promise<any> {
      await ready;
      return local.methods.command({ command, reason: 'test', working_directory: folder, timeout_seconds }, signal);
    },
  };
}
