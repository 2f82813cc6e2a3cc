import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { readFrontMatter } from '../util/front-matter.ts';
import { writeYaml } from '../util/yaml.ts';
import { anchorName, isAnchor } from './anchor.ts';

export const categories = ['final', 'exploratory', 'rejected_approach', 'superseded', 'open_question'] as const;
export const privacyClasses = ['metadata', 'contains_values'] as const;
export type Category = (typeof categories)[number];
export type PrivacyClass = (typeof privacyClasses)[number];

/** What an edit can change. */
export type Field = 'text' | 'category' | 'privacy_class';

/** In UTF-16 units: what a file of somebody else's may put into an answer. */
export const LONGEST_NAME = 200;

/** Front matter that events have room in, and that a hostile one cannot keep the YAML parser busy with. */
const LONGEST_HEAD = 16_000;

/** Ids that one event may name: far more than branches that met, few enough to compare. */
const MOST_IDS = 100;

/** Who did something, through what, and when. Set here, never by a caller's input. */
const provenance = {
  /** UTC, ISO 8601. */
  at: z.iso.datetime({ offset: true }),
  author: z.string().max(LONGEST_NAME),
  /** The agent that wrote for the author; absent when the person did it. */
  agent: z.string().max(LONGEST_NAME).exactOptional(),
  thread: z.string().max(LONGEST_NAME).exactOptional(),
  source_channel: z.string().max(LONGEST_NAME),
  /** Why, in the writer's words. */
  message: z.string().max(600).exactOptional(),
};

const id = z.string().regex(/^[A-Za-z0-9_-]{4,64}$/);
const common = {
  statement_id: id,
  event_id: id,
  /** Events of the same learning that the writer knew of and nothing had followed yet. */
  after: z.array(id).max(MOST_IDS).default([]),
  ...provenance,
};

/** Words of a learning as one event left them: whole, so that it can be read without the events before it. */
const content = {
  anchor: z.string().refine(isAnchor, 'is no qualified name'),
  category: z.enum(categories),
  privacy_class: z.enum(privacyClasses),
  /** Set while a person has still to approve the event. */
  review: z.literal('pending').exactOptional(),
};

const schema = z.discriminatedUnion('event', [
  z.object({ event: z.literal('created'), ...common, ...content, supersedes: id.exactOptional() }),
  z.object({
    event: z.literal('edited'),
    ...common,
    ...content,
    supersedes: id.exactOptional(),
    changes: z.array(z.enum(['text', 'category', 'privacy_class'])),
  }),
  z.object({ event: z.enum(['approved', 'rejected']), ...common, decides: z.array(id).max(MOST_IDS) }),
  z.object({ event: z.literal('removed'), ...common }),
]);

type Parsed = z.output<typeof schema>;
type Content = Extract<Parsed, { event: 'created' | 'edited' }> & { readonly text: string };

/** One thing that happened to a learning: one file, written once and never changed, so that branches only add files. */
export type WikiEvent = Content | Exclude<Parsed, { event: 'created' | 'edited' }>;
export type ContentEvent = Content;
export type DecisionEvent = Extract<WikiEvent, { event: 'approved' | 'rejected' }>;
export type Provenance = Pick<WikiEvent, keyof typeof provenance>;

export function isContent(event: WikiEvent): event is ContentEvent {
  return event.event === 'created' || event.event === 'edited';
}

const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';

function randomText(length: number): string {
  return Array.from(randomBytes(length), (byte) => ALPHABET[byte % ALPHABET.length]).join('');
}

/** A new learning's id. */
export function newStatementId(): string {
  return `lrn_${randomText(12)}`;
}

/** A new event's id; ids sort by time. */
export function newEventId(at: string): string {
  return `${at.slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')}-${randomText(6)}`;
}

/**
 * The name of an event's file: what it is about, the learning's id, and for what came after its creation the event's.
 * No name that Windows reserves.
 */
export function fileName(event: WikiEvent, anchor: string): string {
  const slug = anchorName(anchor)
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replaceAll(/^-+|-+$/g, '');
  const named = /^(?:|con|prn|aux|nul|com\d|lpt\d)$/.test(slug) ? `learning-${slug}`.replace(/-$/, '') : slug;
  const parts = [named, event.statement_id, event.event === 'created' ? '' : event.event_id, 'md'];
  return parts.filter((part) => part !== '').join('.');
}

/** The event as a Markdown file: its facts as front matter, the learning's words below. */
export function renderEvent(event: WikiEvent): string {
  const { text, after, ...facts } = { text: '', ...event };
  const head = { ...facts, ...(after.length > 0 && { after }) };
  return `---\n${writeYaml(head)}---\n\n${text === '' ? '' : `${text}\n`}`;
}

/**
 * Reads an event's file.
 * @throws Error saying in one sentence why the file is not an event.
 */
export function parseEvent(file: string): WikiEvent {
  const text = file.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  if (/^<{7} /m.test(text) && /^>{7} /m.test(text)) throw new Error('It holds the marks of an unresolved merge.');
  const front = readFrontMatter(text.slice(0, LONGEST_HEAD));
  if (!front) throw new Error('It has no front matter between two lines of ---, so it is no learning.');
  if (front.problem !== undefined) throw new Error(`Its front matter is not valid YAML: ${front.problem}`);
  const parsed = schema.safeParse(front.data);
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0]!;
    throw new Error(`Its front matter does not fit: ${[path.join('.'), message].filter(Boolean).join(': ')}`);
  }
  const event = parsed.data;
  if (event.event !== 'created' && event.event !== 'edited') return event;
  const words = text.slice(front.end).trim();
  if (words === '') throw new Error('It has no text below its front matter.');
  return { ...event, text: words };
}
