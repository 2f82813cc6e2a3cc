import { UserError } from '../errors.ts';

/** In UTF-16 units. */
const LONGEST = 2000;

/** A query fit for searching, trimmed. @throws UserError `empty_query` or `query_too_long`. */
export function checkedQuery(text: string): string {
  const query = text.trim();
  if (!/[\p{L}\p{N}]/u.test(query)) {
    throw new UserError(
      'empty_query',
      'The query has no word to search for.',
      'Pass a question, a topic or exact terms as query.',
    );
  }
  if (query.length > LONGEST) {
    throw new UserError(
      'query_too_long',
      `The query has ${query.length} characters; at most ${LONGEST} are searched for.`,
      'Pass the question in one or two sentences, or only its telling words.',
    );
  }
  return query;
}
