import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';
import type { Surroundings } from '../../../src/core/skills/places.ts';
import { createSkills } from '../../../src/core/skills/skills.ts';

const made: string[] = [];
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

/** A folder that is removed after the tests of the file. */
export function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'loci skills ü-'));
  made.push(folder);
  return folder;
}

export function write(folder: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

/** The text of a valid SKILL.md, with further lines of front matter. */
export function skill(name: string, more = '', body = `# ${name}\n\nDo it well.\n`): string {
  return `---\nname: ${name}\ndescription: What ${name} is for.\n${more}---\n\n${body}`;
}

/** Surroundings in which there is nothing. */
export const NOTHING: Surroundings = {
  folders: [],
  skillFolders: [],
  home: '/nowhere',
  profile: undefined,
  locations: {},
  contributions: [],
};

/** The skills of one workspace folder and a home folder of their own. */
export function open(files: Readonly<Record<string, string | Uint8Array>> = {}, more: Partial<Surroundings> = {}) {
  const workspace = temporary();
  const home = temporary();
  write(workspace, files);
  let changes = 0;
  const skills = createSkills({ onChange: () => changes++ });
  skills.configure({ ...NOTHING, folders: [{ name: 'ws', path: workspace }], home, ...more });
  return {
    ...skills,
    ...skills.methods,
    workspace,
    home,
    changes: () => changes,
    names: async () => (await skills.methods.list(undefined)).skills.map(({ name }) => name),
    /** What is wrong, as `line:column code`, by file below the workspace or home folder. */
    async problems(file?: string) {
      const all = await skills.methods.diagnostics(undefined);
      return all
        .filter((one) => file === undefined || one.file.endsWith(file))
        .map(({ line, column, severity, code }) => `${line}:${column} ${severity} ${code}`);
    },
  };
}
