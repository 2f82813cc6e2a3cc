import { groupBy } from '../util/group-by.ts';
import type { Category, ContentEvent, DecisionEvent, Field, PrivacyClass, Provenance, WikiEvent } from './event.ts';
import { isContent } from './event.ts';

export type Status = 'pending' | 'active' | 'rejected' | 'superseded';

/** What a learning says. */
export interface Content {
  readonly text: string;
  readonly category: Category;
  readonly privacy_class: PrivacyClass;
}

/** A learning as its events leave it. */
export interface Learning extends Content {
  readonly statement_id: string;
  readonly anchor: string;
  readonly status: Status;
  /** The learning that this one replaces. */
  readonly supersedes: string | undefined;
  /** The learning that replaces this one. */
  readonly superseded_by: string | undefined;
  /** The content with its pending edits, while there are any. */
  readonly proposed: Content | undefined;
  /** Other texts that were written at the same time on another branch; the latest is shown. */
  readonly otherTexts: readonly string[];
  /** True when it was removed on one branch and edited on another, so that a person must decide. */
  readonly removedElsewhere: boolean;
  readonly created: Provenance;
  /** The last event in force. */
  readonly changed: Provenance;
  /** Events that await a person. */
  readonly undecided: readonly string[];
  /** Events that the content comes from. */
  readonly inForce: readonly string[];
  /** Everything that happened, oldest first. */
  readonly events: readonly WikiEvent[];
}

/** Of a learning with more events only the latest count: comparing all with all is quadratic. */
const MOST_EVENTS = 200;

/**
 * The learnings that a set of events makes, by statement id. The order in which events are read does not matter:
 * branches that were merged give the same learnings on every machine.
 */
export function foldLearnings(events: Iterable<WikiEvent>): Map<string, Learning> {
  const byStatement = groupBy([...events], ({ statement_id }) => statement_id);
  const learnings = new Map<string, Learning>();
  for (const all of byStatement.values()) {
    const own = new Map(all.toReversed().map((event) => [event.event_id, event]));
    const learning = foldOne(inOrder([...own.values()].sort(byTime).slice(-MOST_EVENTS)));
    if (learning) learnings.set(learning.statement_id, learning);
  }
  return withReplacements(learnings);
}

function byTime(a: WikiEvent, b: WikiEvent): number {
  const order = Date.parse(a.at) - Date.parse(b.at);
  return order || (a.event_id < b.event_id ? -1 : 1);
}

/** Each event after those its writer knew of, whatever the writers' clocks said; else by time. */
function inOrder(byTime: readonly WikiEvent[]): WikiEvent[] {
  const byId = new Map(byTime.map((event) => [event.event_id, event]));
  const ordered = new Set<WikiEvent>();
  const met = new Set<WikiEvent>();
  const place = (event: WikiEvent) => {
    if (met.has(event)) return;
    met.add(event);
    for (const id of event.after) if (byId.has(id)) place(byId.get(id)!);
    ordered.add(event);
  };
  for (const event of byTime) place(event);
  return [...ordered];
}

function foldOne(events: readonly WikiEvent[]): Learning | undefined {
  const before = ancestry(events);
  const contents = events.filter(isContent);
  const removals = events.filter(({ event }) => event === 'removed');
  const survivors = contents.filter(({ event_id }) => !removals.some((removal) => before(event_id, removal.event_id)));
  if (survivors.length === 0) return undefined;
  const decisions = decisionsByEvent(events);
  const later = [...survivors, ...survivors.flatMap(({ event_id }) => decisions.get(event_id) ?? [])];
  const removedElsewhere = removals.some(
    (removal) => !later.some(({ event_id }) => before(removal.event_id, event_id)),
  );
  const state = new Map(survivors.map((event) => [event, stateOf(event, decisions.get(event.event_id) ?? [], before)]));
  const such = (...wanted: Status[]) => survivors.filter((event) => wanted.includes(state.get(event)!));
  const [active, pending] = [such('active'), such('pending')];
  const inForce = active.length > 0 ? active : pending.length > 0 ? pending : survivors;
  const status =
    removedElsewhere || (active.length === 0 && pending.length > 0)
      ? 'pending'
      : active.length > 0
        ? 'active'
        : 'rejected';
  const first = contents[0]!;
  const last = inForce.at(-1)!;
  const shown = merged(inForce, before);
  return {
    statement_id: first.statement_id,
    anchor: first.anchor,
    ...shown.content,
    status,
    supersedes: first.supersedes,
    superseded_by: undefined,
    proposed: status === 'active' && pending.length > 0 ? merged(such('active', 'pending'), before).content : undefined,
    otherTexts: shown.otherTexts,
    removedElsewhere,
    created: provenanceIn(first),
    changed: provenanceIn(last),
    undecided: (removedElsewhere ? survivors : pending).map(({ event_id }) => event_id),
    inForce: inForce.map(({ event_id }) => event_id),
    events,
  };
}

type Before = (earlier: string, later: string) => boolean;

/** Whether one event was known to the writer of another, directly or by way of others. */
function ancestry(events: readonly WikiEvent[]): Before {
  const byId = new Map(events.map((event) => [event.event_id, event]));
  const known = new Map<string, Set<string>>();
  const ancestorsOf = (id: string): Set<string> => {
    const cached = known.get(id);
    if (cached) return cached;
    const found = new Set<string>();
    const queue = [...(byId.get(id)?.after ?? [])];
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      if (found.has(next)) continue;
      found.add(next);
      queue.push(...(byId.get(next)?.after ?? []));
    }
    known.set(id, found);
    return found;
  };
  return (earlier, later) => ancestorsOf(later).has(earlier);
}

function decisionsByEvent(events: readonly WikiEvent[]): Map<string, DecisionEvent[]> {
  const decisions = new Map<string, DecisionEvent[]>();
  for (const event of events) {
    if (event.event !== 'approved' && event.event !== 'rejected') continue;
    for (const id of event.decides) decisions.set(id, [...(decisions.get(id) ?? []), event]);
  }
  return decisions;
}

/**
 * An event that needs no approval is in force; another waits for the latest decision on it, and again when two
 * disagree.
 */
function stateOf(event: ContentEvent, on: readonly DecisionEvent[], before: Before): 'active' | 'pending' | 'rejected' {
  const latest = on.filter(({ event_id }) => !on.some((other) => before(event_id, other.event_id)));
  if (latest.length === 0) return event.review === 'pending' ? 'pending' : 'active';
  if (latest.every((decision) => decision.event === 'approved')) return 'active';
  return latest.every((decision) => decision.event === 'rejected') ? 'rejected' : 'pending';
}

/**
 * Each field as the last event that set it left it. Of events that did not know of each other the later gives text and
 * category, and the stricter class stays.
 */
function merged(events: readonly ContentEvent[], before: Before): { content: Content; otherTexts: string[] } {
  const last = events.at(-1)!;
  const settersOf = (field: Field): readonly ContentEvent[] => {
    const setters = events.filter((event) => event.event === 'created' || event.changes.includes(field));
    const latest = setters.filter(({ event_id }) => !setters.some((other) => before(event_id, other.event_id)));
    return latest.length > 0 ? latest : [last];
  };
  const texts = settersOf('text').map(({ text }) => text);
  const text = texts.at(-1)!;
  const strict = settersOf('privacy_class').some(({ privacy_class }) => privacy_class === 'contains_values');
  return {
    content: {
      text,
      category: settersOf('category').at(-1)!.category,
      privacy_class: strict ? 'contains_values' : 'metadata',
    },
    otherTexts: [...new Set(texts)].filter((other) => other !== text),
  };
}

/** Marks what approved learnings replace. Learnings that replace each other in a circle all stay as they are. */
function withReplacements(learnings: Map<string, Learning>): Map<string, Learning> {
  const replacedBy = new Map<string, string>();
  for (const { statement_id, supersedes, status } of learnings.values()) {
    if (supersedes !== undefined && supersedes !== statement_id && status === 'active')
      replacedBy.set(supersedes, statement_id);
  }
  const inCircle = (start: string): boolean => {
    const met = new Set<string>();
    for (let next = replacedBy.get(start); next !== undefined && !met.has(next); next = replacedBy.get(next)) {
      if (next === start) return true;
      met.add(next);
    }
    return false;
  };
  for (const [old, superseded_by] of replacedBy) {
    const learning = learnings.get(old);
    if (learning?.status === 'active' && !inCircle(old))
      learnings.set(old, { ...learning, status: 'superseded', superseded_by });
  }
  return learnings;
}

/** Who did what an event tells, and when. */
export function provenanceIn({ at, author, agent, thread, source_channel, message }: WikiEvent): Provenance {
  return {
    at,
    author,
    ...(agent !== undefined && { agent }),
    ...(thread !== undefined && { thread }),
    source_channel,
    ...(message !== undefined && { message }),
  };
}

/** Events that nothing has followed yet: what a new event comes after. */
export function heads(events: readonly WikiEvent[]): string[] {
  const followed = new Set(events.flatMap(({ after }) => after));
  return events.map(({ event_id }) => event_id).filter((id) => !followed.has(id));
}
