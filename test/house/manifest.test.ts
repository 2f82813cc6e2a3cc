import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const manifest = JSON.parse(read('package.json'));

test('generated files are current', () => {
  expect(() => execFileSync(process.execPath, ['src/build/generate.ts', '--check'], { cwd: root })).not.toThrow();
});

describe('package.json', () => {
  const texts = JSON.parse(read('package.nls.json')) as Record<string, string>;

  test('every placeholder has a text and every text a placeholder', () => {
    const used = [...read('package.json').matchAll(/"%([^%"]+)%"/g)].map(([, key]) => key);
    expect([...new Set(used)].sort()).toEqual(Object.keys(texts).sort());
  });

  test('tools have what agent mode needs, and no prefix that the editor refuses', () => {
    for (const tool of manifest.contributes.languageModelTools) {
      expect(tool).toMatchObject({ canBeReferencedInPrompt: true, toolReferenceName: tool.name });
      expect(tool.name).toMatch(/^loci_[a-z_]+$/);
      expect(tool.modelDescription).toBeTruthy();
    }
    expect(manifest.contributes).not.toHaveProperty('languageModelToolSets');
  });

  test('every file that it names is there', () => {
    const named = JSON.stringify(manifest.contributes).match(/(?:\.\/)?media\/[\w/.-]+/g) ?? [];
    expect(named.length).toBeGreaterThan(15);
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  test('every command that a menu, view or walkthrough names is a command of ours or of the editor', () => {
    const own = new Set(manifest.contributes.commands.map(({ command }: { command: string }) => command));
    for (const view of manifest.contributes.views.loci) own.add(`${view.id}.focus`);
    const linked = [...read('package.nls.json').matchAll(/\(command:([\w.]+)/g)].map(([, command]) => command!);
    expect(linked.length).toBeGreaterThan(5);
    expect(linked.filter((command) => !own.has(command) && !/^(?:workbench|vscode)\./.test(command))).toEqual([]);
  });

  test('settings that send text elsewhere are the user’s alone', () => {
    for (const name of ['model', 'endpoint', 'modelName']) {
      expect(manifest.contributes.configuration.properties[`loci.embedding.${name}`].scope).toBe('machine');
    }
  });

  test('dependencies are pinned, and the lock file names no host', () => {
    const versions = Object.values({ ...manifest.dependencies, ...manifest.devDependencies }) as string[];
    expect(versions.filter((version) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))).toEqual([]);
    expect(read('package-lock.json')).not.toContain('"resolved"');
  });
});
