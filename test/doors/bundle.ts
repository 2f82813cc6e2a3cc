import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../..');

/** Bundles the doors unless no source is younger than the bundle. */
export async function bundle(): Promise<void> {
  if (isNew()) return;
  const [code] = await once(spawn(process.execPath, ['esbuild.mjs'], { cwd: root, stdio: 'inherit' }), 'exit');
  if (code !== 0) throw new Error('the bundle could not be made');
}

function isNew(): boolean {
  const door = join(root, 'dist/mcp.js');
  if (!existsSync(door)) return false;
  const built = statSync(door).mtimeMs;
  return readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.startsWith('build'))
    .every((path) => statSync(join(root, 'src', path)).mtimeMs <= built);
}
