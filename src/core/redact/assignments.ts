/**
 * A name that says its value is secret, what separates the two, and the value: in code, JSON (escaped too), YAML, .env
 * files, connection strings and command lines. Bounded runs keep it linear.
 */
const ASSIGNMENT = new RegExp(
  [
    /(?<key>passw(?:or)?d|passphrase|pwd|secret|token|api[_-]?key|access[_-]?key|account[_-]?key|auth[_-]?key|private[_-]?key|credentials?)/,
    // Not the name of what was taken out.
    /(?<!\[redacted:[a-z-]{0,30})/,
    /(?<separator>\\{0,3}["'`]?\]?[ \t]{0,4}(?::=|=>|===?|=|:)[ \t]{0,4}|[ \t]{1,4}(?=\S))/,
    /(?:(?<quote>\\{1,3}["']|["'`])(?<quoted>(?:[^"'`\\\n]|\\[^"'`\n]){1,400})|(?<bare>[^\s"'`\\,;&|<>(){}[\]]{1,400}))/,
  ]
    .map(({ source }) => source)
    .join(''),
  'gi',
);

/** Values that stand for a secret or its type, rather than being one. */
const STAND_IN =
  /^(?:string|str|text|number|int|bool(?:ean)?|bytes|any|unknown|object|null|none|nil|undefined|true|false|required|optional|empty|redacted|hidden|masked|placeholder|example|changeme|x{3,}|\*+|\.{2,}|-+|[$%@].*|process\.env.*|os\.environ.*|env\..*|\[redacted:.*)$/i;

/** A name or a chain of names: code that says where the value comes from. */
const REFERENCE = /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+$/;

interface Assignment {
  readonly key: string;
  readonly separator: string;
  readonly quote?: string;
  readonly quoted?: string;
  readonly bare?: string;
}

const SECRET_FIELD =
  /(?:^|[_-]|[a-z](?=[A-Z]))(?:passw(?:or)?d|passphrase|secret|(?:api|access|account|auth|private)[_-]?key|(?:access|auth|refresh|bearer|session)[_-]?token)$/i;

/** Whether the name of a JSON field says that its value is secret, and the value may be one. */
export function isSecretField(key: string, value: string): boolean {
  return SECRET_FIELD.test(key) && value !== '' && !STAND_IN.test(value);
}

/** Replaces secret values that are known by the name before them. */
export function redactAssignments(text: string, replacement: (kind: string) => string): string {
  return text.replace(ASSIGNMENT, (whole: string, ...rest: unknown[]) => {
    const found = rest.at(-1) as Assignment;
    const at = rest.at(-3) as number;
    const { key, separator, quote = '' } = found;
    const isPassword = /^p/i.test(key) && !/^private/i.test(key);
    const isOption = /^[ \t]+$/.test(separator);
    if (isOption ? !followsDashes(text, at) : !isSecret(found, isPassword)) return whole;
    // A call: the value is computed.
    if (found.bare !== undefined && text[at + whole.length] === '(') return whole;
    return `${key}${separator}${quote}${replacement(isPassword ? 'password' : 'secret')}`;
  });
}

/** `--password value`: only an option takes its value after a space. */
function followsDashes(text: string, at: number): boolean {
  return /--[\w-]{0,30}$/.test(text.slice(Math.max(0, at - 32), at));
}

function isSecret({ key, separator, quoted, bare }: Assignment, isPassword: boolean): boolean {
  const value = quoted ?? bare!;
  if (STAND_IN.test(value)) return false;
  // The shell's working directory.
  if (/^pwd$/i.test(key) && /^[/~.]|^[A-Z]:/i.test(value)) return false;
  if (quoted !== undefined) return isPassword || isRandom(value);
  if (REFERENCE.test(value)) return false;
  if (!isPassword) return isRandom(value);
  // `password = other` is code; `password=other` and `password: other` are not.
  return !/^[A-Za-z_$]\w*$/.test(value) || /\d/.test(value) || !/^[ \t]+(?::=|=)/.test(separator);
}

/** Long enough for a key, and not words alone. */
function isRandom(value: string): boolean {
  return value.length >= 8 && /\d/.test(value) && /[A-Za-z]/.test(value) && !/\s/.test(value);
}
