import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { writeFileAtomic } from '../util/atomic-file.ts';

const column = z.object({
  name: z.string(),
  type: z.string().exactOptional(),
  description: z.string().exactOptional(),
});

const addedAsset = z.object({
  qualified_name: z.string(),
  node_type: z.string(),
  name: z.string(),
  description: z.string().exactOptional(),
  columns: z.array(column).exactOptional(),
  definition: z.string().exactOptional(),
  tags: z.array(z.string()).exactOptional(),
  content: z.string().exactOptional(),
  connection_id: z.string().exactOptional(),
  added_at: z.string(),
});

const addedEdge = z.object({ from: z.string(), to: z.string(), basis: z.string() });

const harvestedTable = z.object({
  path: z.array(z.string()),
  name: z.string(),
  kind: z.enum(['table', 'view']),
  columns: z.array(
    z.object({
      name: z.string(),
      type: z.string().exactOptional(),
      nullable: z.boolean().exactOptional(),
      primary_key: z.boolean().exactOptional(),
      comment: z.string().exactOptional(),
      references: z
        .object({ schema: z.string().exactOptional(), table: z.string(), column: z.string().exactOptional() })
        .exactOptional(),
    }),
  ),
  comment: z.string().exactOptional(),
  definition: z.string().exactOptional(),
});

const source = z.object({
  source_id: z.string(),
  source_type: z.string(),
  connection_id: z.string(),
  registered_at: z.string(),
});

const harvest = z.object({ type: z.string(), scanned_at: z.string(), tables: z.array(harvestedTable) });

const content = z.object({
  version: z.literal(1),
  assets: z.array(addedAsset),
  edges: z.array(addedEdge),
  sources: z.array(source),
  harvests: z.record(z.string(), harvest),
});

export type GraphState = z.infer<typeof content>;
export type AddedAsset = z.infer<typeof addedAsset>;

const EMPTY: GraphState = { version: 1, assets: [], edges: [], sources: [], harvests: {} };

/** What people and agents added to the graph and what was read from connections: all that scanning files cannot bring back. */
export interface StateFile {
  read(): Promise<GraphState>;
  /** Applies a change to the newest state on disk, one at a time. */
  change(edit: (state: GraphState) => GraphState): Promise<GraphState>;
}

export function openState(path: string, log: (message: string) => void): StateFile {
  let turn: Promise<unknown> = Promise.resolve();
  const read = async (): Promise<GraphState> => {
    const text = await readFile(path, 'utf8').catch(() => undefined);
    if (text === undefined) return EMPTY;
    try {
      return content.parse(JSON.parse(text));
    } catch (error) {
      // Kept beside, so that nothing a person added is overwritten.
      await writeFileAtomic(`${path}.damaged`, text);
      log(
        `The graph's saved additions could not be read and were set aside in ${path}.damaged: ${(error as Error).message}`,
      );
      return EMPTY;
    }
  };
  return {
    read,
    change(edit) {
      const next = turn.then(async () => {
        const changed = edit(await read());
        await writeFileAtomic(path, JSON.stringify(changed));
        return changed;
      });
      turn = next.catch(() => undefined);
      return next;
    },
  };
}
