import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseJsonc } from '../util/jsonc.ts';
import type { Installed } from './inventory.ts';

/** The MCP servers that a workspace names in `.vscode/mcp.json`: names only, since their settings may hold secrets. */
export async function mcpServers(folders: readonly string[]): Promise<Installed[]> {
  const all = await Promise.all(
    folders.map(async (folder) => {
      const source = '.vscode/mcp.json';
      const { value } = parseJsonc(await readFile(join(folder, source), 'utf8').catch(() => ''));
      const servers = typeof value === 'object' && value !== null && 'servers' in value ? value.servers : undefined;
      return typeof servers === 'object' && servers !== null
        ? Object.keys(servers).map((name) => ({ name, source }))
        : [];
    }),
  );
  return all.flat();
}
