import * as vscode from 'vscode';
import { UserError } from '../../core/errors.ts';
import { plain, verbatim } from './markdown.ts';
import { askOwnMemory, type MemoryOf } from './memory.ts';

/** What RECOVER, GET_HIDDEN_MESSAGES and GET_COMPRESSED_TOOL_RESULT give back. */
interface Recovered {
  readonly messages?: readonly {
    readonly message_num: number;
    readonly role: string;
    readonly tool_name?: string;
    readonly value_chunk: string;
    readonly has_more: boolean;
    readonly next_offset: number | null;
  }[];
  readonly tool_name?: string;
  readonly tool_call_id?: string;
  readonly value_chunk?: string;
  readonly has_more: boolean;
  readonly redacted: number;
}

interface Blocks {
  readonly blocks: readonly {
    readonly kind: string;
    readonly handle: string;
    readonly tool_name?: string;
    readonly chars?: number;
    readonly start_message_num?: number | null;
    readonly end_message_num?: number | null;
    readonly result_message_index?: number;
  }[];
  readonly has_more: boolean;
}

interface Hits {
  readonly results: readonly { readonly start_message_num: number; readonly excerpt: string; readonly role?: string }[];
  readonly total: number;
}

const { t } = vscode.l10n;

/** /recover: a handle word by word, the places that match a query, or without either what there is to recover. */
export async function recover(of: MemoryOf, given: string, signal: AbortSignal): Promise<string> {
  if (!(await of.chats.methods.holds({ thread: of.thread })))
    return t('Nothing has been said to @loci in this chat yet.');
  if (given === '')
    return listed(await askOwnMemory<Blocks>(of, { action: 'LIST_RECOVERABLE_BLOCKS', include_nested: true }, signal));
  const handle = given.replace(/^\[?messages?\s+/i, '').replace(/\]$/, '');
  if (!/\s/.test(handle)) {
    try {
      return shown(await askOwnMemory<Recovered>(of, { ...WHOLE, recover_handle: handle }, signal));
    } catch (error) {
      const isNoHandle = error instanceof UserError && /^(?:unknown_|bad_range)/.test(error.code);
      if (!isNoHandle) throw error;
    }
  }
  const search = { action: 'SEARCH_MESSAGES', query: given, search_scope: 'hidden', hidden_max_messages: 8 };
  return found(given, await askOwnMemory<Hits>(of, search, signal));
}

const WHOLE = {
  action: 'RECOVER',
  hidden_max_messages: 50,
  hidden_content_max_chars: 20_000,
  result_max_chars: 0,
  archive_max_chars: 50_000,
};

function shown({ messages, tool_name, tool_call_id, value_chunk, has_more, redacted }: Recovered): string {
  const parts = messages?.map((message) => {
    const who = message.tool_name ? t('result of {0}', plain(message.tool_name)) : message.role;
    const cut = message.has_more ? `\n\n${t('Cut after {0} characters.', message.next_offset ?? 0)}` : '';
    return `**${t('Message {0}', message.message_num)}**, ${who}\n\n${verbatim(message.value_chunk)}${cut}`;
  }) ?? [`**${plain(tool_name ?? '')}** \`${tool_call_id}\`\n\n${verbatim(value_chunk ?? '')}`];
  if (parts.length === 0) return t('Nothing is hidden there.');
  if (has_more) parts.push(t('There is more: name fewer messages to see them whole.'));
  if (redacted > 0) parts.push(t('{0} secrets were taken out.', redacted));
  return parts.join('\n\n');
}

function listed({ blocks, has_more }: Blocks): string {
  if (blocks.length === 0) return t('This chat has not been compacted: the model sees all of it.');
  const rows = blocks.map((block) => {
    const what = block.tool_name ? plain(block.tool_name) : t('all messages');
    const from = block.start_message_num ?? block.result_message_index;
    const place = block.end_message_num ? `${from}–${block.end_message_num}` : (from ?? '');
    return `| \`${block.handle}\` | ${block.kind.replaceAll('_', ' ')} | ${what} | ${place} | ${block.chars ?? ''} |`;
  });
  const head = `| ${t('Handle')} | ${t('Kind')} | ${t('Of')} | ${t('Message')} | ${t('Characters')} |\n|---|---|---|---|---:|`;
  const more = has_more ? [t('There are more; search for them with /recover and a few words.')] : [];
  return [
    `${head}\n${rows.join('\n')}`,
    t('`/recover` with a handle, or with message numbers such as 3-17, shows the text word by word.'),
    ...more,
  ].join('\n\n');
}

function found(query: string, { results, total }: Hits): string {
  if (results.length === 0) return t('No hidden message matches "{0}".', plain(query));
  const rows = results.map(
    ({ start_message_num: message, role, excerpt }) => `- \`/recover ${message}\` (${role ?? ''}) ${plain(excerpt)}`,
  );
  return `${t('{0} hidden places match.', total)}\n\n${rows.join('\n')}`;
}
