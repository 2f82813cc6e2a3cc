import type { App } from '../../core/app.ts';
import { plain, verbatim } from '../chat/markdown.ts';

interface Page {
  readonly messages: readonly {
    readonly message_num: number;
    readonly role: string;
    readonly time?: string;
    readonly hidden?: true;
    readonly tool_name?: string;
    readonly tool_calls?: readonly { readonly tool_name: string; readonly arguments: string }[];
    readonly content: string;
    readonly content_offset?: number;
  }[];
  readonly title: string;
  readonly next_message_num: number | null;
  readonly next_content_offset: number | null;
}

/** A whole thread as Markdown, hidden messages among it, without secrets. */
export async function threadMarkdown(app: App, threadId: string, signal: AbortSignal): Promise<string> {
  const parts: string[] = [];
  let title = '';
  let last = 0;
  let at: { start_message_num: number; content_offset: number } | undefined = {
    start_message_num: 1,
    content_offset: 0,
  };
  while (at) {
    const about = { thread_id: threadId, caller_thread: undefined, include_tool_calls: true, limit: 100 };
    const page = (await app.threads.read(
      { ...about, ...at, response_format: 'structured' },
      signal,
    )) as unknown as Page;
    title = page.title;
    for (const message of page.messages) {
      if (message.message_num !== last) parts.push(headingOf(message));
      last = message.message_num;
      if (message.content !== '') parts.push(message.role === 'tool' ? verbatim(message.content) : message.content);
      for (const call of message.tool_calls ?? [])
        parts.push(`→ **${plain(call.tool_name)}**\n\n${verbatim(call.arguments)}`);
    }
    at =
      page.next_message_num === null
        ? undefined
        : { start_message_num: page.next_message_num, content_offset: page.next_content_offset ?? 0 };
  }
  return `# ${plain(title)}\n\n${parts.join('\n\n')}\n`;
}

function headingOf({ message_num: number, role, tool_name: tool, time, hidden }: Page['messages'][number]): string {
  const who = tool ? `result of ${plain(tool)}` : role;
  return `## ${number}. ${who}${time ? `, ${time.slice(0, 16).replace('T', ' ')}` : ''}${hidden ? ' (hidden from the model)' : ''}`;
}
