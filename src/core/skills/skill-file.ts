import type { Span } from '../util/yaml-places.ts';
import type { Finding } from './diagnostic.ts';
import { type Fields, fieldsOf, itemsOf } from './fields.ts';
import { readHeader } from './header.ts';

/** What the front matter of a SKILL.md says. */
export interface SkillFields {
  readonly name: string;
  readonly description: string;
  readonly license?: string;
  readonly compatibility?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly allowed_tools?: readonly string[];
  readonly argument_hint?: string;
  /** False hides the skill from the person's `/` menu. */
  readonly user_invocable: boolean;
  /** False keeps an agent from choosing the skill by itself. */
  readonly model_invocable: boolean;
  /** Names of the skills that are activated with this one. */
  readonly prerequisites: readonly string[];
}

export interface SkillFile {
  /** What can be told, even of a file that is not valid; `name` and `description` may then be empty. */
  readonly fields: SkillFields;
  readonly findings: readonly Finding[];
  /** Where the prerequisites are named, if anywhere. */
  readonly prerequisitesAt: Span;
  readonly body: string;
}

/** Limits of the Agent Skills specification, in UTF-16 units. */
const LONGEST_NAME = 64;
const LONGEST_DESCRIPTION = 1024;
const LONGEST_COMPATIBILITY = 500;

const KNOWN_FIELDS = new Set([
  'name',
  'description',
  'license',
  'compatibility',
  'metadata',
  'allowed-tools',
  'argument-hint',
  'user-invocable',
  'disable-model-invocation',
  'prerequisites',
]);

/** Reads the text of a SKILL.md (LF line ends) and checks it against the Agent Skills specification. */
export function readSkillFile(text: string, folder: string): SkillFile {
  const header = readHeader(text);
  const read = fieldsOf(header);
  const body = text.slice(header.bodyStart);
  const fields = {
    name: readName(read, folder, header.readable),
    description: readDescription(read, header.readable),
    ...given('license', read.text('license')),
    ...given('compatibility', read.text('compatibility', LONGEST_COMPATIBILITY)),
    ...given('metadata', readMetadata(read)),
    ...given('allowed_tools', read.list('allowed-tools')),
    ...given('argument_hint', read.hint('argument-hint')),
    user_invocable: read.flag('user-invocable') ?? true,
    model_invocable: !read.flag('disable-model-invocation'),
    prerequisites: readPrerequisites(read),
  };
  for (const name of read.names.filter((name) => !KNOWN_FIELDS.has(name))) {
    const message = `"${name}" is no field of SKILL.md and is ignored; own fields belong under metadata.`;
    read.report('hint', 'unknown_field', message, read.keyOf(name));
  }
  if (header.readable && body.trim() === '') {
    const end = { start: text.length, end: text.length };
    read.report('hint', 'empty_body', 'There are no instructions after the front matter.', end);
  }
  const prerequisitesAt = (read.given('prerequisites') ?? read.given('metadata'))?.at ?? { start: 0, end: 0 };
  return { fields, findings: read.findings, prerequisitesAt, body };
}

function given<Name extends string, Value>(name: Name, value: Value | undefined) {
  return (value === undefined ? {} : { [name]: value }) as { [N in Name]?: Value };
}

function readName(read: Fields, folder: string, readable: boolean): string {
  const field = read.given('name');
  const at = field?.at ?? read.keyOf('name');
  const error = (code: string, message: string) => read.report('error', code, message, at);
  if (!field) {
    if (readable) error('missing_name', `The name is missing. Add the line "name: ${folder}".`);
    return '';
  }
  const { value } = field;
  if (typeof value !== 'string') {
    error('name_not_text', `The name must be text. Put it in quotes: name: "${folder}".`);
    return '';
  }
  const name = value.trim();
  const strange = /[^a-z0-9-]/u.exec(name)?.[0];
  if (name === '') error('empty_name', `The name is empty. Write "name: ${folder}".`);
  else if (name.length > LONGEST_NAME) {
    error('name_too_long', `The name has ${name.length} characters; at most ${LONGEST_NAME} are allowed.`);
  } else if (strange) {
    const shown = strange === ' ' ? 'a space' : `"${strange}"`;
    error('name_characters', `The name holds ${shown}; only lower-case letters a-z, digits and hyphens are allowed.`);
  } else if (name.startsWith('-') || name.endsWith('-')) {
    error('name_hyphens', 'The name starts or ends with a hyphen.');
  } else if (name.includes('--')) {
    error('name_hyphens', 'The name has two hyphens in a row.');
  } else if (name !== folder) {
    error('name_not_folder', `The name "${name}" is not that of its folder, "${folder}". Rename one of the two.`);
  }
  return name;
}

function readDescription(read: Fields, readable: boolean): string {
  const field = read.given('description');
  const at = field?.at ?? read.keyOf('description');
  const error = (code: string, message: string) => read.report('error', code, message, at);
  if (!field) {
    const say = 'Say what the skill does and when to use it: agents choose by it.';
    if (readable) error('missing_description', `The description is missing. ${say}`);
    return '';
  }
  const { value } = field;
  if (typeof value !== 'string') {
    error('description_not_text', 'The description must be text: put it in quotes.');
    return '';
  }
  if (value.trim() === '') error('empty_description', 'The description is empty.');
  if (value.length > LONGEST_DESCRIPTION) {
    const message = `The description has ${value.length} characters; at most ${LONGEST_DESCRIPTION} are allowed.`;
    error('description_too_long', message);
  }
  return value.trim();
}

function readMetadata(read: Fields): Record<string, string> | undefined {
  const field = read.given('metadata');
  if (!field) return undefined;
  const { value } = field;
  if (typeof value !== 'object' || Array.isArray(value)) {
    read.report('warning', 'not_a_mapping', '"metadata" must be a mapping of names to texts.', field.at);
    return undefined;
  }
  const entries = Object.entries(value as object).flatMap(([name, item]): [string, string][] => {
    const text = typeof item === 'object' ? itemsOf(item)?.join(', ') : String(item);
    if (text === undefined) {
      read.report('hint', 'not_text', `"metadata.${name}" is no text and is left out.`, field.at);
    }
    return text === undefined ? [] : [[name, text]];
  });
  return Object.fromEntries(entries);
}

/**
 * Prerequisites are no part of the Agent Skills specification, so they may stand under `metadata`, where every other
 * tool ignores them, or as a field of their own; as a list, or as names with commas or spaces between.
 */
function readPrerequisites(read: Fields): string[] {
  const own = read.given('prerequisites');
  const metadata = read.given('metadata');
  const nested = metadata?.value as { prerequisites?: unknown } | undefined;
  const at = own?.at ?? metadata?.at;
  const value = own ? own.value : nested?.prerequisites;
  if (at === undefined || value === undefined || value === null) return [];
  const names = itemsOf(value);
  if (!names) read.report('warning', 'not_a_list', '"prerequisites" must be a list of skill names.', at);
  return [...new Set(names)];
}
