import { UserError } from '../errors.ts';
import { redact } from '../redact/redact.ts';
import { brief, jsonBytes } from '../util/page.ts';

/** Longest text of a learning, in bytes of JSON: any page has room for one. */
const LONGEST = 4000;

/** A text fit to be a learning. @throws UserError `empty_content`, `holds_secret` or `content_too_long`. */
export function checkedText(content: string): string {
  const text = plain(content);
  if (text === '') {
    throw new UserError(
      'empty_content',
      'The learning has no text.',
      'State what was learned in one or a few sentences.',
    );
  }
  if (jsonBytes(text) > LONGEST) {
    throw new UserError(
      'content_too_long',
      `The learning takes ${jsonBytes(text)} bytes; at most ${LONGEST} are kept.`,
      'State it more concisely, or save its parts as learnings of their own.',
    );
  }
  if (redact(text).count > 0) {
    throw new UserError(
      'holds_secret',
      'The learning holds what looks like a key, token or password; the wiki keeps none.',
      'State it without the secret, for instance where the secret is kept.',
    );
  }
  return text;
}

/** The text with line feeds alone as line ends, and without control characters and outer white space. */
export function plain(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/g, '')
    .trim();
}

/** True when two texts are equal but for white space. */
export function sameText(a: string, b: string): boolean {
  const squeeze = (text: string) => text.replaceAll(/\s+/g, ' ');
  return squeeze(a) === squeeze(b);
}

/** The first line of a learning, for lists. */
export function headline(text: string): string {
  return brief(text.split('\n', 1)[0]!.replace(/^#+\s*/, ''), 160);
}
