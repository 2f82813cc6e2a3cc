import { UserError } from '../errors.ts';
import { brief, page } from '../util/page.ts';
import { type DecisionEvent, isContent, newEventId, type WikiEvent } from './event.ts';
import { byKey } from './keys.ts';
import { heads, type Learning, type Status } from './learning.ts';
import type { Ledger } from './ledger.ts';
import { provenanceOf, type Writer } from './provenance.ts';
import { headline } from './text.ts';
import { type EditInput, edit } from './writing.ts';

/** What a person decides about a learning. */
export interface Decision {
  readonly statement_id: string;
  /** Why, in the person's words. */
  readonly message?: string;
  /** The events that the person saw waiting; what has come since then goes on waiting. All of them when left out. */
  readonly seen?: readonly string[];
}

const PERSON: Writer = { channel: 'editor' };

export interface EntriesInput {
  /** Null for every status. */
  readonly status: Status | null;
  readonly limit: number;
  readonly offset: number;
}

/** Every learning of whatever status, for the person who reviews them: what waits first, then the newest. */
export async function entries(ledger: Ledger, { status, ...window }: EntriesInput) {
  const { learnings, problems } = await ledger.read();
  const all = [...learnings.values()];
  const waits = (learning: Learning) => (learning.undecided.length > 0 ? 0 : 1);
  const wanted = all
    .filter((learning) => status === null || learning.status === status)
    .sort((a, b) => waits(a) - waits(b) || (a.changed.at < b.changed.at ? 1 : -1));
  const counts = Object.fromEntries(
    (['pending', 'active', 'rejected', 'superseded'] as const).map((each) => [
      each,
      all.filter((one) => one.status === each).length,
    ]),
  );
  const { items, pagination } = page(wanted, window, (learning) => entry(ledger, learning), Number.POSITIVE_INFINITY);
  return {
    items,
    counts,
    edits_pending: all.filter(({ proposed }) => proposed !== undefined).length,
    problems,
    pagination,
  };
}

function entry(ledger: Ledger, learning: Learning) {
  const { statement_id, anchor, text, category, privacy_class, status, proposed, otherTexts, removedElsewhere } =
    learning;
  const files = ledger.filesOf(statement_id).filter(({ event }) => isContent(event));
  return {
    statement_id,
    anchor_qn: anchor,
    headline: headline((proposed ?? learning).text),
    text,
    category,
    privacy_class,
    status,
    written: learning.created,
    changed: learning.changed,
    ...(proposed && { proposed }),
    ...(learning.undecided.length > 0 && { undecided: learning.undecided }),
    ...(otherTexts.length > 0 && { other_texts: otherTexts }),
    ...(removedElsewhere && { removed_elsewhere: true }),
    ...(learning.supersedes !== undefined && { supersedes: learning.supersedes }),
    ...(learning.superseded_by !== undefined && { superseded_by: learning.superseded_by }),
    stored: ledger.placeOf(learning),
    /** The file with the words now in force, to open in an editor. */
    file: files.findLast(({ event }) => isContent(event) && event.text === text)?.path ?? null,
  };
}

/**
 * Approves what waits on a learning; of a rejected one, what was rejected last.
 * @throws UserError `nothing_to_decide`, or what resolving the id throws.
 */
export async function approve(ledger: Ledger, decision: Decision) {
  return decide(ledger, decision, 'approved', (learning) =>
    learning.undecided.length > 0 ? learning.undecided : learning.status === 'rejected' ? lastRejected(learning) : [],
  );
}

/** Rejects what waits on a learning; when nothing waits, the learning itself. */
export async function reject(ledger: Ledger, decision: Decision) {
  return decide(ledger, decision, 'rejected', (learning) =>
    learning.undecided.length > 0 ? learning.undecided : learning.status === 'rejected' ? [] : learning.inForce,
  );
}

async function decide(
  ledger: Ledger,
  { statement_id, message = '', seen }: Decision,
  event: DecisionEvent['event'],
  choose: (learning: Learning) => readonly string[],
) {
  const learning = byKey((await ledger.read()).learnings, statement_id, 'statement_id');
  const decides = choose(learning)
    .filter((id) => seen === undefined || !learning.undecided.includes(id) || seen.includes(id))
    .slice(-100);
  if (decides.length === 0) {
    throw new UserError(
      'nothing_to_decide',
      `The learning ${learning.statement_id} is ${learning.status} and nothing on it awaits review.`,
      'Refresh the Wiki view.',
    );
  }
  const by = await provenanceOf(ledger, PERSON, message, learning);
  const after = heads(learning.events);
  await ledger.append(
    { event, statement_id: learning.statement_id, event_id: newEventId(by.at), ...by, after, decides: [...decides] },
    learning,
  );
  const now = (await ledger.read()).learnings.get(learning.statement_id)!;
  return {
    statement_id: learning.statement_id,
    status: now.status,
    category: now.category,
    privacy_class: now.privacy_class,
  };
}

function lastRejected({ events }: Learning): readonly string[] {
  return events.findLast((event): event is DecisionEvent => event.event === 'rejected')?.decides ?? [];
}

/** An edit by the person: in force at once, and what it rests on is approved with it. */
export async function revise(ledger: Ledger, input: EditInput) {
  const { undecided } = byKey((await ledger.read()).learnings, input.statement_id, 'statement_id');
  const { edit_pending_review: _, note: __, ...edited } = await edit(ledger, input, PERSON);
  if (undecided.length === 0 || !edited.applied) return edited;
  return { ...edited, ...(await decide(ledger, { statement_id: edited.statement_id }, 'approved', () => undecided)) };
}

/** Deletes a learning with its history from disk. */
export async function remove(ledger: Ledger, { statement_id, message = '' }: Decision) {
  const learning = byKey((await ledger.read()).learnings, statement_id, 'statement_id');
  await ledger.remove(learning, await provenanceOf(ledger, PERSON, message, learning));
  return { statement_id: learning.statement_id, removed: true };
}

/** What happened to a learning, oldest first: who, when, through what, and what it changed. */
export async function history(ledger: Ledger, { statement_id }: { readonly statement_id: string }) {
  const learning = byKey((await ledger.read()).learnings, statement_id, 'statement_id');
  const files = new Map(ledger.filesOf(learning.statement_id).map(({ event, path }) => [event.event_id, path]));
  return {
    statement_id: learning.statement_id,
    anchor_qn: learning.anchor,
    status: learning.status,
    events: learning.events.map((event) => ({ ...summary(event), file: files.get(event.event_id) ?? null })),
  };
}

function summary(event: WikiEvent) {
  const { event_id, at, author, agent, thread, source_channel, message } = event;
  const who = {
    event_id,
    at,
    author,
    ...(agent !== undefined && { agent }),
    ...(thread !== undefined && { thread }),
    source_channel,
    ...(message !== undefined && { message }),
  };
  if (event.event === 'removed') return { event: event.event, ...who };
  if (!isContent(event)) return { event: event.event, ...who, decides: event.decides };
  const { text, category, privacy_class, review } = event;
  const changes = event.event === 'created' ? undefined : event.changes;
  return {
    event: event.event,
    ...who,
    ...(changes && { changes }),
    ...(review && { review }),
    text: brief(text, 4500),
    category,
    privacy_class,
  };
}
