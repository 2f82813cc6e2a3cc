import { UserError } from '../errors.ts';
import { redact } from '../redact/redact.ts';
import { brief, jsonBytes } from '../util/page.ts';
import { anchorsOf, parseAnchor } from './anchor.ts';
import { authorIn } from './author.ts';
import type { Category, ContentEvent, Field, PrivacyClass, Provenance } from './event.ts';
import { LONGEST_NAME, newEventId, newStatementId } from './event.ts';
import { activeOnly, byKey } from './keys.ts';
import { type Content, heads, type Learning } from './learning.ts';
import type { Ledger } from './ledger.ts';
import { headline } from './pages.ts';

/** Who writes, as the door that took the call knows it. */
export interface Writer {
  /** Absent when a person acts in the editor's own views. */
  readonly agent?: string;
  readonly thread?: string;
  /** Through what the write came: `chat`, `mcp`, `cli`, or `editor` for the person's own views. */
  readonly channel: string;
}

export interface WriteInput {
  readonly qualified_name: string;
  readonly content: string;
  readonly commit_message: string;
  readonly supersedes_key: string | null;
  readonly category: Category;
  readonly privacy_class: PrivacyClass;
}

export interface EditInput {
  readonly statement_id: string;
  readonly content: string | null;
  readonly commit_message: string;
  readonly category: Category | null;
  readonly privacy_class: PrivacyClass | null;
}

/** Longest text of a learning, in bytes of JSON: any page has room for one. */
const LONGEST_TEXT = 4000;
const LONGEST_MESSAGE = 500;

/** Saves a new learning, or tells of the one that says the same already. */
export async function write(ledger: Ledger, input: WriteInput, writer: Writer) {
  const anchor = parseAnchor(input.qualified_name);
  const text = checkedText(input.content);
  const { learnings } = await ledger.read();
  const same = [...learnings.values()].filter(
    (learning) => sameAnchor(learning.anchor, anchor) && sameText((learning.proposed ?? learning).text, text),
  );
  const standing = same.find(({ status }) => status === 'active' || status === 'pending');
  if (standing) return repeated(ledger, standing, input, writer);
  const refused = same.find(
    ({ status, events }) => status === 'rejected' && events.some((event) => event.event === 'rejected'),
  );
  if (refused && writer.agent !== undefined) {
    throw new UserError(
      'rejected_before',
      `A person rejected this very learning (${refused.statement_id}).`,
      'Do not save it again. If it is right after all, say so to the person.',
    );
  }
  const replaced =
    input.supersedes_key === null ? undefined : activeOnly(byKey(learnings, input.supersedes_key, 'supersedes_key'));
  const provenance = await provenanceOf(ledger, writer, input.commit_message, replaced);
  const waits = ledger.review && writer.agent !== undefined;
  const event: ContentEvent = {
    event: 'created',
    statement_id: newStatementId(),
    event_id: newEventId(provenance.at),
    anchor,
    category: input.category,
    privacy_class: input.privacy_class,
    ...(waits && { review: 'pending' }),
    ...(replaced && { supersedes: replaced.statement_id }),
    ...provenance,
    after: [],
    text,
  };
  await ledger.append(event, replaced);
  return saved(ledger, event.statement_id, replaced ? { supersedes: replaced.statement_id } : {});
}

/** A write whose text stands already changes nothing, except that the stricter privacy class stays. */
async function repeated(ledger: Ledger, standing: Learning, input: WriteInput, writer: Writer) {
  const { privacy_class, commit_message } = input;
  const stricter = privacy_class === 'contains_values' && (standing.proposed ?? standing).privacy_class === 'metadata';
  if (stricter) await change(ledger, standing, { privacy_class }, writer, commit_message);
  return saved(ledger, standing.statement_id, {
    deduplicated: true,
    ...(stricter && { reason: 'kept_stricter_privacy_class' }),
  });
}

/**
 * Changes a learning. A retry, an edit with the text of an earlier edit by the same agent in the same thread, is not done
 * twice: it adds only a category or class that the earlier one did not bring, and nothing when the text has moved on since.
 */
export async function edit(ledger: Ledger, input: EditInput, writer: Writer) {
  const { learnings } = await ledger.read();
  const learning = byKey(learnings, input.statement_id, 'statement_id');
  const byPerson = writer.agent === undefined;
  if (!byPerson && learning.status !== 'pending') activeOnly(learning);
  const now = learning.proposed ?? learning;
  const text = input.content === null ? undefined : checkedText(input.content);
  const wanted: Partial<Content> = {
    ...(text !== undefined && !sameText(text, now.text) && { text }),
    ...(input.category !== null && input.category !== now.category && { category: input.category }),
    ...(input.privacy_class !== null &&
      input.privacy_class !== now.privacy_class && { privacy_class: input.privacy_class }),
  };
  const earlier = text !== undefined && !byPerson && learning.events.some((event) => isSameEdit(event, text, writer));
  if (earlier && wanted.text !== undefined) {
    return saved(ledger, learning.statement_id, { applied: false, reason: 'stale_retry_suppressed' });
  }
  if (Object.keys(wanted).length === 0) {
    const reason = earlier ? 'duplicate_edit' : 'no_change';
    return saved(ledger, learning.statement_id, { applied: false, ...(earlier && { deduplicated: true }), reason });
  }
  await change(ledger, learning, wanted, writer, input.commit_message);
  return saved(ledger, learning.statement_id, {
    applied: true,
    ...(earlier && { reason: 'reapplied_after_noop_event' }),
  });
}

function isSameEdit(event: Learning['events'][number], text: string, { agent, thread }: Writer): boolean {
  return (
    event.event === 'edited' &&
    sameText(event.text, text) &&
    event.agent === agent?.slice(0, LONGEST_NAME) &&
    event.thread === thread?.slice(0, LONGEST_NAME)
  );
}

/** Appends an edit. What only makes a learning more private need not wait for a person. */
async function change(ledger: Ledger, learning: Learning, wanted: Partial<Content>, writer: Writer, message: string) {
  const now = learning.proposed ?? learning;
  const provenance = await provenanceOf(ledger, writer, message, learning);
  const onlyStricter = Object.keys(wanted).length === 1 && wanted.privacy_class === 'contains_values';
  const waits = ledger.review && writer.agent !== undefined && !onlyStricter;
  const event: ContentEvent = {
    event: 'edited',
    statement_id: learning.statement_id,
    event_id: newEventId(provenance.at),
    anchor: learning.anchor,
    changes: Object.keys(wanted) as Field[],
    category: wanted.category ?? now.category,
    privacy_class: wanted.privacy_class ?? now.privacy_class,
    ...(waits && { review: 'pending' }),
    ...(learning.supersedes !== undefined && { supersedes: learning.supersedes }),
    ...provenance,
    after: heads(learning.events),
    text: wanted.text ?? now.text,
  };
  await ledger.append(event, learning);
}

/** What a write answers: the learning as it now stands. */
async function saved(ledger: Ledger, statementId: string, more: object) {
  const { learnings } = await ledger.read();
  const learning = learnings.get(statementId)!;
  const now = learning.proposed ?? learning;
  const waits = learning.status === 'pending' || learning.proposed !== undefined;
  return {
    statement_id: statementId,
    qualified_name: learning.anchor,
    status: learning.status,
    category: now.category,
    privacy_class: now.privacy_class,
    headline: headline(now.text),
    ...more,
    stored: ledger.placeOf(learning),
    ...(waits && { edit_pending_review: learning.status === 'active', note: WAITS }),
  };
}

const WAITS = 'A person reviews it in the Wiki view; until then it is not shown as a fact.';

export async function provenanceOf(
  ledger: Ledger,
  { agent, thread, channel }: Writer,
  message: string,
  near: Learning | undefined,
): Promise<Provenance> {
  const why = brief(redact(plain(message)).text, LONGEST_MESSAGE);
  return {
    at: new Date(ledger.now()).toISOString(),
    author: await authorIn(ledger.folderOf(near)),
    ...(agent !== undefined && { agent: agent.slice(0, LONGEST_NAME) }),
    ...(thread !== undefined && { thread: thread.slice(0, LONGEST_NAME) }),
    source_channel: channel,
    ...(why !== '' && { message: why }),
  };
}

function checkedText(content: string): string {
  const text = plain(content);
  if (text === '') {
    throw new UserError(
      'empty_content',
      'The learning has no text.',
      'State what was learned in one or a few sentences.',
    );
  }
  if (redact(text).count > 0) {
    throw new UserError(
      'holds_secret',
      'The learning holds what looks like a key, token or password; the wiki keeps none.',
      'State it without the secret, for instance where the secret is kept.',
    );
  }
  if (jsonBytes(text) > LONGEST_TEXT) {
    throw new UserError(
      'content_too_long',
      `The learning takes ${jsonBytes(text)} bytes; at most ${LONGEST_TEXT} are kept.`,
      'State it more concisely, or save its parts as learnings of their own.',
    );
  }
  return text;
}

function plain(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/g, '')
    .trim();
}

function sameText(a: string, b: string): boolean {
  const squeeze = (text: string) => text.replaceAll(/\s+/g, ' ');
  return squeeze(a) === squeeze(b);
}

function sameAnchor(a: string, b: string): boolean {
  return a === b || anchorsOf(a).includes(b) || anchorsOf(b).includes(a);
}
