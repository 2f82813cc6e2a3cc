import { brief, jsonBytes, PAGE_BYTES } from '../util/page.ts';

/** One thing that is installed or set up here. */
export interface Installed {
  readonly name: string;
  readonly description?: string;
  /** Where it comes from: a folder, an extension, a setting. */
  readonly source?: string;
}

export const inventoryKinds = [
  'agents',
  'skills',
  'prompt_files',
  'knowledge_bases',
  'connections',
  'mcp_servers',
] as const;
export type InventoryKind = (typeof inventoryKinds)[number];

/** Who knows of each kind. */
export type InventoryProviders = Readonly<Record<InventoryKind, () => Promise<readonly Installed[]>>>;

/**
 * What is set up in this workspace, each kind with its count; the items as far as there is room, a kind alone page by
 * page.
 */
export async function inventory(providers: InventoryProviders, only: InventoryKind | null, offset: number) {
  const kinds = only === null ? inventoryKinds : [only];
  const counts: Partial<Record<InventoryKind, number>> = {};
  const unknown: Partial<Record<InventoryKind, string>> = {};
  const items: Partial<Record<InventoryKind, Installed[]>> = {};
  const omitted: Partial<Record<InventoryKind, number>> = {};
  const all = await Promise.allSettled(kinds.map((kind) => providers[kind]()));
  let room = PAGE_BYTES - 800;
  for (const [i, kind] of kinds.entries()) {
    const result = all[i]!;
    if (result.status === 'rejected') {
      unknown[kind] = brief(result.reason instanceof Error ? result.reason.message : String(result.reason), 200);
      continue;
    }
    counts[kind] = result.value.length;
    const share = room / (kinds.length - i);
    let used = 0;
    const shown: Installed[] = [];
    for (const one of result.value.slice(offset)) {
      const item = {
        name: brief(one.name, 120),
        ...(one.description && { description: brief(one.description, 160) }),
        ...(one.source && { source: brief(one.source, 120) }),
      };
      used += jsonBytes(item) + 1;
      if (used > share) break;
      shown.push(item);
    }
    items[kind] = shown;
    room -= used;
    const left = result.value.length - offset - shown.length;
    if (left > 0) omitted[kind] = left;
  }
  return {
    counts,
    ...items,
    ...(Object.keys(omitted).length > 0 && { omitted, next_step: 'Pass kind and offset to read on.' }),
    ...(Object.keys(unknown).length > 0 && { could_not_be_listed: unknown }),
  };
}
