import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseEvent, renderEvent, type WikiEvent } from '../../../src/core/wiki/event.ts';
import { foldLearnings } from '../../../src/core/wiki/learning.ts';

const words = fc.string({
  unit: fc.constantFrom('a', 'é', ' ', '\n', '"', ':', '#', '-', '😀', '|', "'"),
  minLength: 1,
  maxLength: 60,
});
const text = words.map((value) => `x${value}`.trim());
const at = fc
  .integer({ min: 0, max: 1e6 })
  .map((seconds) => new Date(1_700_000_000_000 + seconds * 1000).toISOString());

/** A history as several branches would write it: each event knows of some of those before it. */
const histories = fc
  .array(
    fc.record({
      kind: fc.constantFrom('edited', 'approved', 'rejected', 'removed'),
      at,
      text,
      privacy: fc.constantFrom('metadata', 'contains_values'),
      review: fc.boolean(),
      changes: fc.subarray(['text', 'category', 'privacy_class'] as const),
      knows: fc.array(fc.nat(20), { maxLength: 3 }),
    }),
    { maxLength: 12 },
  )
  .map((steps): WikiEvent[] => {
    const events: WikiEvent[] = [];
    const who = { author: 'Ada', source_channel: 'chat', statement_id: 'lrn_aaaa' };
    for (const [i, step] of [{ ...steps[0], kind: 'created' }, ...steps].entries()) {
      const after = [...new Set((step.knows ?? []).map((n) => `event-${n % Math.max(1, i)}`))].filter(() => i > 0);
      const common = { ...who, event_id: `event-${i}`, at: step.at ?? '2024-01-01T00:00:00.000Z', after };
      const content = {
        anchor: 'x://y',
        category: 'final' as const,
        privacy_class: (step.privacy ?? 'metadata') as 'metadata',
        ...(step.review && { review: 'pending' as const }),
        text: step.text ?? 'x',
      };
      if (step.kind === 'created') events.push({ ...common, ...content, event: 'created' });
      else if (step.kind === 'edited')
        events.push({ ...common, ...content, event: 'edited', changes: step.changes ?? [] });
      else if (step.kind === 'removed') events.push({ ...common, event: 'removed' });
      else events.push({ ...common, event: step.kind as 'approved', decides: after });
    }
    return events;
  });

test('an event written and read again is the same, whatever is in it', () => {
  fc.assert(
    fc.property(histories, (events) => {
      for (const event of events) {
        expect(parseEvent(renderEvent(event))).toEqual(event);
        expect(parseEvent(`\uFEFF${renderEvent(event).replaceAll('\n', '\r\n')}`)).toEqual(event);
      }
    }),
  );
});

test('the order in which files are read, and reading one twice, make no difference', () => {
  fc.assert(
    fc.property(
      histories.chain((events) =>
        fc.tuple(fc.constant(events), fc.shuffledSubarray(events, { minLength: events.length })),
      ),
      ([events, shuffled]) => {
        expect(foldLearnings([...shuffled, ...events])).toEqual(foldLearnings(events));
      },
    ),
  );
});

test('nothing that awaits review is shown as a fact, and a strict class never gets lax by merging', () => {
  fc.assert(
    fc.property(histories, (events) => {
      for (const learning of foldLearnings(events).values()) {
        const inForce = events.filter(({ event_id }) => learning.inForce.includes(event_id));
        if (learning.status === 'active') {
          for (const event of inForce) {
            const decided = events.some(
              (other) => other.event === 'approved' && other.decides.includes(event.event_id),
            );
            expect('review' in event && event.review === 'pending' ? decided : true).toBe(true);
          }
        }
        const classes = inForce.flatMap((event) => ('privacy_class' in event ? [event.privacy_class] : []));
        if (classes.every((one) => one === 'contains_values')) expect(learning.privacy_class).toBe('contains_values');
        expect(inForce.map((event) => ('text' in event ? event.text : ''))).toContain(learning.text);
      }
    }),
  );
});
