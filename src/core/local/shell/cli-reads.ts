import { hasCredentialOutput } from './hazards.ts';
import type { SimpleCommand } from './parse.ts';

export type Cli = 'git' | 'gh' | 'aws' | 'az';

/** The CLI whose read-only command this is, or undefined. Commands that print credentials are none. */
export function readsOnlyCli({ name, args }: SimpleCommand): Cli | undefined {
  if (
    !isCli(name) ||
    args.some(({ pattern }) => pattern && (pattern.prefix === '' || pattern.prefix.startsWith('-')))
  ) {
    return undefined;
  }
  const values = args.map(({ value }) => value);
  if (hasCredentialOutput([name, ...values])) return undefined;
  return READS[name](values) ? name : undefined;
}

export function isCli(name: string): name is Cli {
  return Object.hasOwn(READS, name);
}

const READS: Readonly<Record<Cli, (values: readonly string[]) => boolean>> = {
  git: readsGit,
  gh: readsGh,
  aws: readsAws,
  az: readsAz,
};

const GIT_READS = new Set([
  ...[
    'status',
    'log',
    'diff',
    'show',
    'blame',
    'annotate',
    'shortlog',
    'describe',
    'rev-parse',
    'rev-list',
    'ls-files',
  ],
  ...['ls-tree', 'cat-file', 'name-rev', 'merge-base', 'for-each-ref', 'show-ref', 'grep', 'count-objects', 'cherry'],
  ...['whatchanged', 'diff-tree', 'diff-index', 'diff-files', 'check-ignore', 'check-attr', 'range-diff', 'version'],
]);

/** Options that write a file or run a program, abbreviated too. */
const GIT_ACTS = /^--(?:ou|ext|textc|filters|show-sig|op|exec)|^-O/;

function readsGit(values: readonly string[]): boolean {
  let at = 0;
  for (; at < values.length && values[at]!.startsWith('-'); at++) {
    if (values[at] === '--version' && values.length === 1) return true;
    if (values[at] === '-C') at++;
    else if (values[at] !== '--no-pager') return false;
  }
  const [command = '', ...rest] = values.slice(at);
  if (rest.some((value) => GIT_ACTS.test(value))) return false;
  if (GIT_READS.has(command)) return true;
  const [first = ''] = rest;
  switch (command) {
    case 'branch':
    case 'tag':
      return listsRefs(rest);
    case 'remote':
      return (
        rest.length === 0 || /^(?:-v|--verbose)$/.test(rest.join(' ')) || (first === 'get-url' && rest.length === 2)
      );
    case 'stash':
      return first === 'list' || first === 'show';
    case 'worktree':
      return first === 'list';
    case 'reflog':
      return first === '' || first === 'show' || first === 'HEAD' || first.startsWith('-');
    default:
      return false;
  }
}

const REF_FILTERS = /^--(?:contains|no-contains|merged|no-merged|points-at|sort|format)$/;

/** `git branch` and `git tag` list with these options alone; a bare name makes a new one. */
function listsRefs(values: readonly string[]): boolean {
  const isList = values.some((value) => value === '-l' || value === '--list');
  return values.every(
    (value, i) =>
      /^-(?:a|r|v|vv|l|n\d*)$|^--(?:all|remotes|verbose|list|show-current|column|no-column|color|no-color|ignore-case)$/.test(
        value,
      ) ||
      REF_FILTERS.test(value.split('=')[0]!) ||
      (!value.startsWith('-') && (isList || REF_FILTERS.test(values[i - 1] ?? ''))),
  );
}

const GH_READS: Readonly<Record<string, RegExp>> = {
  pr: /^(?:list|view|status|diff|checks)$/,
  issue: /^(?:list|view|status)$/,
  repo: /^(?:list|view)$/,
  run: /^(?:list|view)$/,
  workflow: /^(?:list|view)$/,
  release: /^(?:list|view)$/,
  gist: /^(?:list|view)$/,
  label: /^list$/,
  cache: /^list$/,
  secret: /^list$/,
  variable: /^(?:list|get)$/,
  ruleset: /^(?:list|view|check)$/,
  project: /^(?:list|view|item-list|field-list)$/,
  org: /^list$/,
  search: /^(?:code|commits|issues|prs|repos)$/,
  auth: /^status$/,
  extension: /^list$/,
  alias: /^list$/,
};

function readsGh(values: readonly string[]): boolean {
  const [group = '', verb = '', ...rest] = values;
  if (/^(?:--version|version|status)$/.test(group)) return values.length === 1;
  if (values.some((value) => value === '--web' || /^-[a-zA-Z]*w$/.test(value))) return false;
  if (group === 'api') return getsGh([verb, ...rest]);
  return Object.hasOwn(GH_READS, group) && GH_READS[group]!.test(verb);
}

/** `gh api` that sends a GET to GitHub: fields make it a POST. */
function getsGh(values: readonly string[]): boolean {
  return values.every((value, i) => {
    if (/^(?:-X|--method)$/.test(values[i - 1] ?? '')) return value === 'GET';
    if (/^(?:-X|--method|-XGET|--method=GET)$/.test(value)) return true;
    return !/^-[a-zA-Z]*[XfF]|^--(?:method|field|raw-field|input|hostname)|:\/\/|^\/?graphql|override/i.test(value);
  });
}

const AWS_READS = /^(?:describe|list|get|head|lookup|batch-get)-[a-z0-9-]+$|^(?:filter-log-events|query|scan)$/;
/** Operations that write what they get to a file. */
const AWS_TO_FILE =
  /^get-(?:object|object-torrent|job-output|sdk|export|media|media-for-fragment-list|clip|configuration|latest-configuration|bundle|archive|snapshot-block|package-version-asset)$/;

function readsAws(values: readonly string[]): boolean {
  if (values.length === 1 && values[0] === '--version') return true;
  if (values.some((value) => /^--(?:endpoint|debug|ca-b|no-verify)|(?:fileb?|https?):\/\//.test(value))) return false;
  const words = withoutOptions(
    values,
    /^--(?:profile|region|output|query|color|cli-read-timeout|cli-connect-timeout)$/,
  );
  const [service = '', operation = ''] = words;
  if (service === 's3') return operation === 'ls';
  if (service === 'configure') return operation === 'list' || operation === 'list-profiles';
  if (service === 'logs' && operation === 'tail') return true;
  return AWS_READS.test(operation) && !AWS_TO_FILE.test(operation);
}

/** The service and operation: words before the operation's own options. */
function withoutOptions(values: readonly string[], valued: RegExp): string[] {
  const words: string[] = [];
  for (let at = 0; at < values.length && words.length < 2; at++) {
    if (!values[at]!.startsWith('-')) words.push(values[at]!);
    else if (valued.test(values[at]!)) at++;
    else if (!values[at]!.includes('=') && !/^--no-/.test(values[at]!)) break;
  }
  return words;
}

function readsAz(values: readonly string[]): boolean {
  if (/^(?:--version|version)$/.test(values.join(' '))) return true;
  if (values.some((value) => /^--debug|^@|:\/\//.test(value))) return false;
  const options = values.findIndex((value) => value.startsWith('-'));
  const words = options < 0 ? values : values.slice(0, options);
  const verb = words.at(-1) ?? '';
  if (words.join(' ') === 'graph query') return true;
  return words.length > 1 && /^(?:list|show|exists|list-[a-z-]+|show-[a-z-]+)$/.test(verb);
}
