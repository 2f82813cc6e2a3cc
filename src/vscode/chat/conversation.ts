import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { App } from '../../core/app.ts';
import { type Asker, DEFAULT_AGENT } from '../../core/capabilities/world.ts';
import { visible } from '../../core/chat/plan.ts';
import { chooseModel } from '../../core/chat/tier.ts';
import { runTurn, type TurnEnd } from '../../core/chat/turn.ts';
import { withTimeLimit } from '../../core/util/abort.ts';
import type { GroupName } from '../../tools/groups.ts';
import { startRun } from '../chat-session.ts';
import { activateMentioned } from './activate-mentioned.ts';
import { attachedTo } from './attachments.ts';
import { documentShower } from './documents.ts';
import { headOf } from './head.ts';
import { askOwnMemory } from './memory.ts';
import type { OwnChats } from './own-chats.ts';
import { createTurnTools } from './turn-tools.ts';

/** Share of the window that a thread keeps free unless its context_budget_policy says otherwise, in percent. */
const HEADROOM = 15;
/** Longest that looking for hidden messages may hold up an answer, in milliseconds. */
const RECALL_MS = 4000;

interface Conversation {
  readonly app: App;
  readonly chats: OwnChats;
  readonly request: vscode.ChatRequest;
  readonly stream: vscode.ChatResponseStream;
  readonly thread: string;
  /** True when the editor itself says which chat it is. */
  readonly isKnown: boolean;
  /** What to ask in place of the person's own words. */
  readonly prompt?: string;
  /** A private group that the extension has put onto the thread. */
  readonly pinned?: GroupName;
}

/** Has the model that the person or the thread chose answer a request, with the tools that the thread has active. */
export async function converse(
  { app, chats, request, stream, thread, isKnown, prompt = request.prompt, pinned }: Conversation,
  signal: AbortSignal,
): Promise<TurnEnd> {
  const asker = { thread, agent: DEFAULT_AGENT };
  const token = isKnown ? request.toolInvocationToken : undefined;
  await activateMentioned(app, thread, request.toolReferences, signal);
  const settings = await app.capabilities.runSettings(asker, signal);
  const { model: chosen, note } = chooseModel(
    settings.model_tier,
    request.model,
    settings.model_tier ? await vscode.lm.selectChatModels() : [],
  );
  if (note) stream.markdown(`*${note}*\n\n`);
  const using = chats.use(thread, chosen);
  const counting = startRun(request.toolInvocationToken, randomUUID());
  try {
    const { model } = using;
    const transcript = await chats.transcript(thread);
    const { history } = transcript;
    const isSaid = (text: string) =>
      visible(history).some((number) => history.messages[number - 1]!.text.includes(text));
    const attached = await attachedTo(request, isSaid);
    const turn = {
      transcript,
      model,
      prompt: [prompt, attached.text].filter(Boolean).join('\n\n'),
      attachments: attached.attachments,
      counter: chats.counterOf(model),
      tools: createTurnTools({
        app,
        chat: chats.methods,
        thread,
        run: counting.run,
        token,
        pinned,
        onCall: (title) => stream.progress(title),
        onAnswer: documentShower(stream),
      }),
      head: headOf(settings.active_skills),
      startSkills: history.messages.length > 0 ? [] : await skillTexts(app, asker, settings.active_skills, signal),
      settings: async () => {
        const { never_compress_skills, context_budget_policy } = await app.capabilities.runSettings(asker);
        const wanted = context_budget_policy?.reserved_headroom_pct;
        return {
          reservedHeadroom: typeof wanted === 'number' ? wanted : HEADROOM,
          neverCompress: never_compress_skills,
        };
      },
      recall: (inner: AbortSignal) => recall(app, chats, thread, prompt, inner),
      show: { text: (text: string) => stream.markdown(text), progress: (text: string) => stream.progress(text) },
      now: app.host.now,
    };
    const end = await runTurn(turn, signal);
    if (end.status === 'budget_exhausted') stream.markdown(`\n\n${budgetNote()}`);
    return end;
  } finally {
    using.dispose();
    counting.dispose();
  }
}

/** The instructions of skills, but for those that the agent's policy denies or that cannot be read. */
async function skillTexts(app: App, asker: Asker, names: readonly string[], signal: AbortSignal) {
  const texts = await Promise.all(
    names.map(async (name) => {
      const page = { name, path: 'SKILL.md', start_char: 0, max_chars: 50_000 };
      const asked = app.capabilities.admitSkill({ ...asker, skill: name }, signal);
      const read = await asked.then(() => app.skills.read(page, signal)).catch(() => undefined);
      return read && { name, text: `Skill "${name}":\n${read.content}` };
    }),
  );
  return texts.filter((one) => one !== undefined);
}

/** Where hidden messages may hold what the person asks for. */
async function recall(app: App, chats: OwnChats, thread: string, prompt: string, signal: AbortSignal): Promise<string> {
  if ((await chats.transcript(thread)).history.hiddenTo === 0 || prompt.trim() === '') return '';
  const query = prompt.slice(0, 1000);
  const input = { action: 'SEARCH_MESSAGES', query, search_scope: 'hidden', hidden_max_messages: 3 };
  try {
    const { results = [] } = await withTimeLimit(RECALL_MS, 'recall', signal, (inner) =>
      askOwnMemory<{ results?: readonly { start_message_num: number; excerpt: string }[] }>(
        { app, chats, thread },
        input,
        inner,
      ),
    );
    if (results.length === 0) return '';
    const lines = results.map((hit) => `[message ${hit.start_message_num}] ${hit.excerpt.replace(/\s+/g, ' ')}`);
    return `Hidden messages that the last question may be about, in excerpts:\n${lines.join('\n')}`;
  } catch {
    signal.throwIfAborted();
    return '';
  }
}

function budgetNote(): string {
  return vscode.l10n.t(
    '*The model went on calling tools after its budget was used up, so this request ends here. (Setting: loci.budget.calls)*',
  );
}
