import { type PlacedField, parsePlacedMapping } from '../util/yaml-places.ts';
import { about, type Finding } from './diagnostic.ts';

/** The front matter of a file and where its body starts. */
export interface Header {
  /** By key; `key` and `at` are offsets in the whole text. Empty when there is no front matter that can be read. */
  readonly fields: ReadonlyMap<string, PlacedField>;
  /** False when there is none, or none that can be read: `findings` says why. */
  readonly readable: boolean;
  readonly findings: readonly Finding[];
  /** Offset of the text after the closing line; 0 without front matter. */
  readonly bodyStart: number;
}

const LONGEST = 64 * 1024;
const OPENING = /^---[ \t]*\n/;
const CLOSING = /^---[ \t]*$/m;

/** Reads the YAML between the `---` lines at the start of a text (LF line ends, no byte order mark). */
export function readHeader(text: string): Header {
  const open = OPENING.exec(text)?.[0].length;
  if (open === undefined) return without(text, missing(text));
  const close = CLOSING.exec(text.slice(open, open + LONGEST));
  if (!close) {
    const message = `The front matter is not closed: a line --- is missing after it${text.length > LONGEST ? ' within 64 KB' : ''}.`;
    return without(text, { ...about('error', 'unclosed_front_matter', message), end: 3 });
  }
  const bodyStart = Math.min(open + close.index + close[0].length + 1, text.length);
  const { fields, problems } = parsePlacedMapping(text.slice(open, open + close.index));
  const findings = problems.map(
    ({ message, start, end }): Finding => ({
      severity: 'error',
      code: 'bad_yaml',
      message: `The front matter is not valid YAML: ${message}.${advice(message)}`,
      start: start + open,
      end: end + open,
    }),
  );
  const moved = new Map<string, PlacedField>();
  for (const [name, { value, key, at }] of fields ?? []) {
    const shift = ({ start, end }: PlacedField['at']) => ({ start: start + open, end: end + open });
    moved.set(name, { value, key: shift(key), at: shift(at) });
  }
  return { fields: moved, readable: findings.length === 0, findings, bodyStart };
}

function without(text: string, finding: Finding): Header {
  const bodyStart = finding.code === 'unclosed_front_matter' ? text.length : 0;
  return { fields: new Map(), readable: false, findings: [finding], bodyStart };
}

function missing(text: string): Finding {
  const late = /^\s+(?=---[ \t]*\n)/.exec(text.slice(0, 1000))?.[0].length;
  if (late === undefined) {
    const message =
      'There is no front matter. Start the file with a line ---, then name: and description:, then a line ---.';
    return about('error', 'no_front_matter', message);
  }
  const message = 'The front matter must start on the first line: delete what is before it.';
  return { ...about('error', 'no_front_matter', message), start: late, end: late + 3 };
}

/** The mistake that is made most: `description: Use when: …`. */
function advice(message: string): string {
  return message.startsWith('Nested mappings') ? ' Put a value that holds ": " in quotes.' : '';
}
