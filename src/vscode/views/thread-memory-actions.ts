import { Buffer } from 'node:buffer';
import * as vscode from 'vscode';
import type { App } from '../../core/app.ts';
import { bareId } from '../../core/threads/sessions.ts';
import { withSignal } from '../cancellation.ts';
import { askMemory } from '../chat/memory.ts';
import type { OwnChats } from '../chat/own-chats.ts';
import { compressedText } from '../chat/slash-memory.ts';
import type { CommandId } from '../manifest.ts';
import { threadMarkdown } from './thread-memory-export.ts';
import { showPicture } from './thread-memory-picture.ts';
import { agentOf, type ListedThread, type MemoryNode } from './thread-memory-tree.ts';

type ThreadCommandId = Extract<CommandId, `loci.thread.${string}`>;

/** Most of a recovered text that goes into the chat input, in UTF-16 units. */
const LONGEST_INPUT = 30_000;

const { t } = vscode.l10n;

/** What a person can do with a thread of the Thread Memory view. Without a node they are asked which. */
export function threadActions(app: App, chats: OwnChats): Record<ThreadCommandId, (node?: MemoryNode) => unknown> {
  const memory = <T>(thread: ListedThread, input: object, signal: AbortSignal) =>
    askMemory<T>({ app, chats, thread: thread.id }, input, signal);

  const withThread =
    (title: string, run: (thread: ListedThread) => unknown, fits: (thread: ListedThread) => boolean = () => true) =>
    async (node?: MemoryNode): Promise<void> => {
      const thread = node?.kind === 'thread' || node?.kind === 'block' ? node.thread : await pick(app, title, fits);
      if (thread) await run(thread);
    };

  return {
    'loci.thread.open': withThread(t('Open which chat?'), (thread) => openThread(app, thread)),

    'loci.thread.search': withThread(t('Search in which chat?'), async (thread) => {
      const query = await vscode.window.showInputBox({
        title: t('Search in {0}', thread.title),
        prompt: t('Words, or exact text'),
      });
      if (!query?.trim()) return;
      const { results } = await busy(t('Searching'), (signal) =>
        memory<{ results: readonly Hit[] }>(
          thread,
          { action: 'SEARCH_MESSAGES', query, hidden_max_messages: 50 },
          signal,
        ),
      );
      const rows = results.map((hit) => ({
        label: t('Message {0}', hit.start_message_num),
        description: [hit.tool_name ?? hit.role ?? hit.kind, hit.hidden ? t('hidden') : ''].filter(Boolean).join(' · '),
        detail: hit.excerpt.replace(/\s+/g, ' '),
        hit,
      }));
      const title = rows.length > 0 ? t('Take which message into the chat input?') : t('Nothing matches');
      const chosen = await vscode.window.showQuickPick(rows, { title, matchOnDetail: true, matchOnDescription: true });
      if (chosen) await intoInput(thread, String(chosen.hit.start_message_num), memory);
    }),

    'loci.thread.compress': withThread(t('Compress which chat?'), async (thread) => {
      if (thread.source !== 'loci') {
        await openThread(app, thread);
        return vscode.commands.executeCommand('workbench.action.chat.open', {
          query: '/compact',
          isPartialQuery: true,
        });
      }
      const request = { thread: bareId(thread.id), target_percentage: 50, compression_version: null };
      const result = await busy(t('Compressing'), (signal) => chats.methods.compress(request, signal));
      return void vscode.window.showInformationMessage(compressedText(result).replaceAll('`', ''));
    }),

    async 'loci.thread.recover'(node) {
      if (node?.kind === 'block') return intoInput(node.thread, node.block.handle, memory);
      const thread = node?.kind === 'thread' ? node.thread : await pick(app, t('Recover from which chat?'), hasHidden);
      if (!thread) return;
      const handle = await vscode.window.showInputBox({
        title: t('Recover from {0}', thread.title),
        prompt: t('A handle, or message numbers such as 3-17'),
      });
      if (handle?.trim()) await intoInput(thread, handle.trim(), memory);
    },

    'loci.thread.export': withThread(t('Export which chat?'), async (thread) => {
      const name = `${
        thread.title
          .replace(/[^\p{L}\p{N}]+/gu, '-')
          .replace(/^-|-$/g, '')
          .slice(0, 60) || 'chat'
      }.md`;
      const [folder] = vscode.workspace.workspaceFolders ?? [];
      const target = await vscode.window.showSaveDialog({
        filters: { Markdown: ['md'] },
        ...(folder && { defaultUri: vscode.Uri.joinPath(folder.uri, name) }),
      });
      if (!target) return;
      const text = await busy(t('Exporting'), (signal) => threadMarkdown(app, thread.id, signal));
      await vscode.workspace.fs.writeFile(target, Buffer.from(text));
      await vscode.window.showTextDocument(target);
    }),

    'loci.thread.startFrom': withThread(t('Start a new chat from which one?'), async (thread) => {
      const so = thread.gist || thread.closing;
      const query = [
        t('Go on from an earlier chat: "{0}" (thread_id {1}).', thread.title, thread.id),
        so === '' ? '' : t('It had come to this: {0}', so),
        t('Read more of it with manage_thread_memory or read_thread when needed.'),
        '',
        '',
      ];
      await vscode.commands.executeCommand('workbench.action.chat.newChat');
      await intoChat(query.filter((line, i) => line !== '' || i > 2).join('\n'));
    }),

    'loci.thread.picture': withThread(t('Show the memory of which chat?'), ({ id }) => showPicture(app, id)),

    'loci.thread.delete': withThread(
      t('Delete which chat?'),
      async (thread) => {
        if (thread.source !== 'loci') return;
        const yes = t('Delete');
        const detail = t(
          'Its messages and all that compression hid are deleted from this machine. What the editor itself keeps of the chat stays.',
        );
        const answer = await vscode.window.showWarningMessage(
          t('Delete the memory of "{0}"?', thread.title),
          { modal: true, detail },
          yes,
        );
        if (answer === yes) await chats.methods.remove({ thread: bareId(thread.id) });
      },
      ({ source }) => source === 'loci',
    ),
  };
}

interface Hit {
  readonly start_message_num: number;
  readonly kind: string;
  readonly role?: string;
  readonly tool_name?: string;
  readonly hidden: boolean;
  readonly excerpt: string;
}

interface Recovered {
  readonly messages?: readonly { readonly value_chunk: string }[];
  readonly value_chunk?: string;
}

/** Puts a recovered text into the input of the chat, for the person to go on with. */
async function intoInput(
  thread: ListedThread,
  handle: string,
  memory: (thread: ListedThread, input: object, signal: AbortSignal) => Promise<Recovered>,
): Promise<void> {
  const whole = {
    hidden_max_messages: 50,
    hidden_content_max_chars: LONGEST_INPUT,
    result_max_chars: 0,
    archive_max_chars: 50_000,
  };
  const { messages, value_chunk } = await busy(t('Recovering'), (signal) =>
    memory(thread, { action: 'RECOVER', recover_handle: handle, ...whole }, signal),
  );
  const text = messages ? messages.map((message) => message.value_chunk).join('\n\n') : (value_chunk ?? '');
  await intoChat(`${t('From an earlier message ({0}):', handle)}\n\n${text.slice(0, LONGEST_INPUT)}\n\n`);
}

async function intoChat(query: string): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.chat.open', { query, isPartialQuery: true });
}

/** Opens a chat of the editor as such, and one of another program as a page. */
async function openThread(app: App, thread: ListedThread): Promise<void> {
  const id = bareId(thread.id);
  if (thread.source === 'vscode' || (thread.source === 'loci' && /^[0-9a-f-]{36}$/.test(id))) {
    const path = `/${Buffer.from(id).toString('base64url')}`;
    await vscode.commands.executeCommand(
      'vscode.open',
      vscode.Uri.from({ scheme: 'vscode-chat-session', authority: 'local', path }),
    );
    return;
  }
  const content = await busy(t('Reading'), (signal) => threadMarkdown(app, thread.id, signal));
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language: 'markdown', content }));
}

function hasHidden({ hidden }: ListedThread): boolean {
  return hidden > 0;
}

async function pick(
  app: App,
  title: string,
  fits: (thread: ListedThread) => boolean,
): Promise<ListedThread | undefined> {
  const { threads } = await app.threads.list({ include_hidden: false });
  const rows = threads.filter(fits).map((thread) => ({
    label: thread.title,
    description: [agentOf(thread), thread.updated && new Date(thread.updated).toLocaleString()]
      .filter(Boolean)
      .join(' · '),
    detail: thread.gist || thread.closing,
    thread,
  }));
  const options = {
    title: rows.length > 0 ? title : t('There is no chat to which this applies.'),
    matchOnDetail: true,
  };
  return (await vscode.window.showQuickPick(rows, options))?.thread;
}

async function busy<T>(title: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  return vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: `Loci: ${title}`, cancellable: true },
    (_, token) => withSignal(token, work),
  );
}
