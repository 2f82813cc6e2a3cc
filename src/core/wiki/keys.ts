import { UserError } from '../errors.ts';
import { brief } from '../util/page.ts';
import type { Learning } from './learning.ts';
import { headline } from './text.ts';

/** Least of an id that may stand for it. */
const SHORTEST = 6;

/**
 * The learning that a key means: its `statement_id`, or a beginning of it that no other shares.
 * @throws UserError `ambiguous_key` or `unknown_key`.
 */
export function byKey(learnings: ReadonlyMap<string, Learning>, key: string, parameter: string): Learning {
  const wanted = key.trim();
  const exact = learnings.get(wanted);
  if (exact) return exact;
  const found = [...learnings.values()].filter(
    ({ statement_id }) => wanted.length >= SHORTEST && statement_id.startsWith(wanted),
  );
  if (found.length === 1) return found[0]!;
  const next = 'Call wiki_read for the page again and pass the statement_id it shows.';
  if (found.length > 1) {
    const candidates = found
      .slice(0, 5)
      .map(({ statement_id, anchor, text }) => ({ statement_id, anchor, headline: headline(text) }));
    throw new UserError('ambiguous_key', `${parameter} "${brief(wanted, 80)}" fits ${found.length} learnings.`, next, {
      candidates,
    });
  }
  throw new UserError('unknown_key', `No learning has the ${parameter} "${brief(wanted, 80)}".`, next);
}

/** The learning itself, when it is active. @throws UserError `inactive_key` saying what it is instead. */
export function activeOnly(learning: Learning): Learning {
  const { status, statement_id, superseded_by } = learning;
  if (status === 'active') return learning;
  const what = {
    pending: 'still awaits review',
    rejected: 'was rejected in review',
    superseded: `was superseded by ${superseded_by}`,
  }[status];
  throw new UserError(
    'inactive_key',
    `The learning ${statement_id} is not active: it ${what}.`,
    superseded_by === undefined
      ? 'Call wiki_read for its page and use a statement_id shown there.'
      : `Use ${superseded_by}, or call wiki_read for its page again.`,
    { statement_id, status, ...(superseded_by !== undefined && { superseded_by }) },
  );
}
