import type { App } from '../../core/app.ts';
import { askMemory } from '../chat/memory.ts';
import type { OwnChats } from '../chat/own-chats.ts';
import { threadActions } from './thread-memory-actions.ts';
import { type Block, threadMemoryTree } from './thread-memory-tree.ts';
import { createTree } from './tree.ts';

/** Pages of blocks that one thread shows below itself. */
const MOST_PAGES = 20;

/** The Thread Memory view: past chats, how full they are, and what compaction took out of them. */
export function createThreadMemory(app: App, chats: OwnChats, report: (error: unknown) => void) {
  const blocksOf = async ({ id }: { readonly id: string }): Promise<readonly Block[]> => {
    const blocks: Block[] = [];
    const { signal } = new AbortController();
    let offset: number | null = 0;
    for (let page = 0; page < MOST_PAGES && offset !== null; page++) {
      const input = {
        action: 'LIST_RECOVERABLE_BLOCKS',
        include_nested: true,
        hidden_max_messages: 200,
        hidden_offset: offset,
      };
      const found: { blocks: readonly Block[]; next_offset: number | null } = await askMemory(
        { app, chats, thread: id },
        input,
        signal,
      );
      blocks.push(...found.blocks);
      offset = found.next_offset;
    }
    return blocks;
  };
  return {
    tree: createTree('loci.threads', threadMemoryTree({ app, blocksOf }), report),
    commands: threadActions(app, chats),
  };
}
