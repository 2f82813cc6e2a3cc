import { readsOnlyCli } from './cli-reads.ts';
import type { Chain, ShellWord, SimpleCommand } from './parse.ts';

/** Why a program with these arguments may do more than read; undefined when it only reads. */
type Rule = (args: readonly ShellWord[], values: readonly string[]) => string | undefined;

const always: Rule = () => undefined;

/** Programs that only read, whatever their arguments. */
const READERS = [
  ...['ls', 'cat', 'head', 'tail', 'pwd', 'grep', 'wc', 'echo', 'df', 'du', 'uname', 'uptime', 'whoami', 'id', 'stat'],
  ...['which', 'type', 'vm_stat', 'sw_vers', 'system_profiler', 'cut', 'tr', 'column'],
];

const VERSION_ONLY = [
  ...['node', 'npm', 'yarn', 'pnpm', 'deno', 'bun', 'ruby', 'uv', 'pip', 'pip3', 'cargo', 'rustc', 'docker', 'brew'],
  ...['terraform', 'claude', 'codex'],
];

/** True when a value is an option of one dash that holds one of the letters, alone or among others. */
function hasLetter(value: string, letters: string): boolean {
  return /^-[^-]/.test(value) && [...letters].some((letter) => value.includes(letter, 1));
}

/** A rule by the arguments that must not be there. A pattern that could expand to one asks as well. */
function without(forbidden: (value: string) => boolean, what: string): Rule {
  return (args, values) => {
    if (values.some(forbidden)) return what;
    return args.some(couldBeOption) ? 'a file-name pattern that could expand to an option' : undefined;
  };
}

function couldBeOption({ pattern }: ShellWord): boolean {
  return pattern !== undefined && (pattern.prefix === '' || pattern.prefix.startsWith('-'));
}

/** A rule by the only arguments that may be there. Patterns may expand to others. */
function onlyWhen(allowed: (values: readonly string[]) => boolean, what: string): Rule {
  return (args, values) => (args.some(({ pattern }) => pattern) || !allowed(values) ? what : undefined);
}

const isVersionCheck = (...options: string[]): Rule =>
  onlyWhen(([first, ...more]) => options.includes(first ?? '') && more.length === 0, 'more than a version check');

const RULES: Readonly<Record<string, Rule>> = {
  ...Object.fromEntries(READERS.map((name) => [name, always])),
  ...Object.fromEntries(VERSION_ONLY.map((name) => [name, isVersionCheck('--version')])),
  python: isVersionCheck('--version', '-V'),
  python3: isVersionCheck('--version', '-V'),
  java: isVersionCheck('-version', '--version'),
  go: isVersionCheck('version'),
  printf: (args, values) => {
    const format = values[0] === '--' ? values[1] : values[0];
    // %n sets a variable, and evaluates its name.
    if (/^-v/.test(values[0] ?? '') || /%[^a-zA-Z%]*[hlLjzqt]*n/.test(format ?? ''))
      return 'printf that sets a variable';
    return args.slice(0, 2).some(({ pattern }) => pattern) ? 'printf with a pattern as its format' : undefined;
  },
  find: without(
    (value) => /^-(?:exec|execdir|ok|okdir|delete|fprint|fprint0|fprintf|fls)$/.test(value),
    'find that runs programs, deletes or writes',
  ),
  rg: without((value) => /^--(?:pre|hostname-bin)/.test(value), 'rg that runs a program'),
  sort: without(
    (value) => hasLetter(value, 'o') || /^--(?:o|co)/.test(value),
    'sort that writes a file or runs a program',
  ),
  uniq: onlyWhen((values) => uniqOperands(values) <= 1, 'uniq that writes to its second file'),
  file: without((value) => hasLetter(value, 'C') || /^--co/.test(value), 'file that compiles'),
  lsof: without((value) => hasLetter(value, 'D'), 'lsof that writes a device cache'),
  date: onlyWhen(readsDate, 'date that could set the clock'),
  hostname: onlyWhen(
    (values) =>
      values.every((value) =>
        /^-[sfiIdAy]+$|^--(?:short|fqdn|long|ip-address|all-ip-addresses|domain|all-fqdns|version)$/.test(value),
      ),
    'hostname that could set a name',
  ),
  sysctl: onlyWhen(
    (values) =>
      values.every((value) => /^-[aAnNebqxdX]+$|^--(?:all|names|values|ignore)$|^[\w./][\w./-]*$/.test(value)),
    'sysctl that could set a value',
  ),
  top: onlyWhen(samples, 'top without a number of samples'),
  diskutil: (args, values) =>
    ['list', 'info'].includes(values[0] ?? '') && !args[0]?.pattern
      ? undefined
      : 'diskutil that does more than list or info',
  ps: onlyWhen((values) => !showsEnvironment(values), 'ps that prints environments'),
  jq: without(
    (value) =>
      hasLetter(value, 'fL') ||
      /^--(?:from-file|library-path)/.test(value) ||
      /\benv\b|\$ENV|\$__prog|\b(?:import|include|modulemeta|get_search_list)\b/.test(value),
    'jq that reads the environment or loads files',
  ),
};

function uniqOperands(values: readonly string[]): number {
  if (values.includes('--')) return Number.POSITIVE_INFINITY;
  return values.filter((value, i) => (!value.startsWith('-') || value === '-') && !/^-[fsw]$/.test(values[i - 1] ?? ''))
    .length;
}

function readsDate(values: readonly string[]): boolean {
  // With -j, as on macOS, a date is converted, not set.
  const converts = values.some((value) => /^-[jnuR]*j[nuR]*$/.test(value));
  return values.every((value, i) => {
    const before = values[i - 1] ?? '';
    if (/^(?:-[drv]|--(?:date|reference))$/.test(before)) return true;
    if (value.startsWith('+') || /^-[jnuR]+$|^-I\w*$|^-[drv]$/.test(value)) return true;
    if (/^--(?:utc|universal|iso-8601|rfc-email|debug|date|reference|resolution|version|help)$/.test(value))
      return true;
    if (/^--(?:date|reference|iso-8601|rfc-3339)=/.test(value)) return true;
    return converts && (!value.startsWith('-') || value === '-f');
  });
}

function samples(values: readonly string[]): boolean {
  let count = 0;
  const rest = values.filter((value, i) => {
    const [, own] = /^-(?:l|[bcHiS]*n)(\d*)$/.exec(value) ?? [];
    if (own !== undefined) {
      count = Number(own || values[i + 1] || 0);
      return false;
    }
    return !/^-(?:l|[bcHiS]*n)$/.test(values[i - 1] ?? '');
  });
  return count > 0 && rest.every((value) => /^-[bcHiS]+$|^-(?:o|s|d|p|u|U|pid|stats|w)$|^[+%\w][\w,.-]*$/.test(value));
}

/** Options of ps that take the next word as their value; glued to it, they end differently. */
const PS_VALUED =
  /^-[^-oOpuUtgGCqks]*[oOpuUtgGCqks]$|^[^-oOpUk]*[oOpUk]$|^--(?:pid|ppid|user|User|group|Group|tty|format|sort|cols|columns|rows|lines|width|quick-pid)$/;

function showsEnvironment(values: readonly string[]): boolean {
  let isValue = false;
  return values.some((value) => {
    if (/env/i.test(value)) return true;
    if (isValue || value.startsWith('--')) {
      isValue = !isValue && PS_VALUED.test(value);
      return false;
    }
    isValue = PS_VALUED.test(value);
    if (value.startsWith('-')) return /E/.test(value) || (/e/.test(value) && /x/.test(value));
    // Without a dash, e is the option that prints environments.
    return /e/.test(value);
  });
}

/** How a chain may run: at once as local reads, at once as the read of one CLI, or only once a person has agreed. */
export type Verdict =
  | { readonly kind: 'read' }
  | { readonly kind: 'cli_read'; readonly cli: 'git' | 'gh' | 'aws' | 'az' }
  /** `why` ends the sentence "It uses …". */
  | { readonly kind: 'ask'; readonly why: string };

/** Judges a chain by the rules for commands that only read. */
export function judge({ commands }: Chain): Verdict {
  const [first] = commands;
  const cli = commands.length === 1 ? readsOnlyCli(first!) : undefined;
  if (cli !== undefined) return { kind: 'cli_read', cli };
  for (const command of commands) {
    const why = whyAsk(command);
    if (why !== undefined) return { kind: 'ask', why };
  }
  return { kind: 'read' };
}

function whyAsk({ name, args }: SimpleCommand): string | undefined {
  const rule = Object.hasOwn(RULES, name) ? RULES[name]! : undefined;
  if (!rule) return `${name}, which is not among the programs known to only read`;
  return rule(
    args,
    args.map(({ value }) => value),
  );
}
