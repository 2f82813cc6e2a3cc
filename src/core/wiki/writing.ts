import { UserError } from '../errors.ts';
import { anchorsOf, parseAnchor } from './anchor.ts';
import type { Category, ContentEvent, Field, PrivacyClass } from './event.ts';
import { LONGEST_NAME, newEventId, newStatementId } from './event.ts';
import { activeOnly, byKey } from './keys.ts';
import { type Content, heads, type Learning } from './learning.ts';
import type { Ledger } from './ledger.ts';
import { provenanceOf, type Writer } from './provenance.ts';
import { checkedText, headline, sameText } from './text.ts';

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

/** What a write or edit answers. */
export interface Saved {
  readonly statement_id: string;
  readonly qualified_name: string;
  readonly status: Learning['status'];
  readonly category: Category;
  readonly privacy_class: PrivacyClass;
  readonly headline: string;
  readonly supersedes?: string;
  /** Edits only: false when the call changed nothing. */
  readonly applied?: boolean;
  /** Set when the same had been written before. */
  readonly deduplicated?: true;
  /** Why nothing, or less or more than usual, was done. */
  readonly reason?:
    | 'kept_stricter_privacy_class'
    | 'stale_retry_suppressed'
    | 'duplicate_edit'
    | 'no_change'
    | 'reapplied_after_noop_event';
  readonly stored: 'team' | 'this_machine';
  readonly edit_pending_review?: boolean;
  readonly note?: string;
}

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
 * Changes a learning. A retry, an edit with the text of an earlier edit by the same agent in the same thread, is not
 * done twice: it adds only a category or class that the earlier one did not bring, and nothing when the text has moved
 * on since.
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

type Outcome = Pick<Saved, 'supersedes' | 'applied' | 'deduplicated' | 'reason'>;

/** The learning as it now stands. */
async function saved(ledger: Ledger, statementId: string, outcome: Outcome): Promise<Saved> {
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
    ...outcome,
    stored: ledger.placeOf(learning),
    ...(waits && { edit_pending_review: learning.status === 'active', note: WAITS }),
  };
}

const WAITS = 'A person reviews it in the Wiki view; until then it is not shown as a fact.';

function sameAnchor(a: string, b: string): boolean {
  return a === b || anchorsOf(a).includes(b) || anchorsOf(b).includes(a);
}
