import { basename, dirname } from 'node:path';
import type { Finding } from './diagnostic.ts';
import { fieldsOf } from './fields.ts';
import { type Header, readHeader } from './header.ts';
import type { Kind } from './places.ts';

/** A custom agent or a prompt file. */
export interface Definition {
  readonly name: string;
  readonly description: string;
  /** Tools it is limited to; absent for all. */
  readonly tools?: readonly string[];
  /** Model it asks for, the preferred one first. */
  readonly model?: readonly string[];
  /** The custom agent that a prompt runs with. */
  readonly agent?: string;
  readonly argument_hint?: string;
}

const ENDINGS: Readonly<Record<Exclude<Kind, 'skill'>, RegExp>> = {
  agent: /(?:\.agent|\.chatmode)?\.md$/,
  prompt: /\.prompt\.md$/,
};

/** Whether a file in a folder of agents or prompts is one, by its name. */
export function isDefinition(kind: Exclude<Kind, 'skill'>, path: string): boolean {
  const name = basename(path);
  if (kind === 'agent' && !/\.(?:agent|chatmode)\.md$/.test(name)) {
    // Any Markdown file counts in folders made for agents, as the editor has it.
    return name.endsWith('.md') && name !== 'README.md' && basename(dirname(path)) === 'agents';
  }
  return ENDINGS[kind].test(name);
}

/** Reads an agent or prompt file (LF line ends). Without a name it is called by its file. */
export function readDefinition(
  kind: Exclude<Kind, 'skill'>,
  path: string,
  text: string,
): { definition: Definition; findings: readonly Finding[] } {
  const header = optionalHeader(text);
  const read = fieldsOf(header);
  const tools = read.list('tools');
  const model = modelsOf(read.given('model')?.value);
  const agent = read.text('agent') ?? read.text('mode');
  const hint = read.hint('argument-hint');
  const definition = {
    name: read.text('name') || basename(path).replace(ENDINGS[kind], ''),
    description: read.text('description') ?? '',
    ...(tools && { tools }),
    ...(model && { model }),
    ...(agent && { agent }),
    ...(hint && { argument_hint: hint }),
  };
  if (header.readable && definition.description === '') {
    const message = 'There is no description, so neither search nor an agent can tell what this is for.';
    read.report('warning', 'missing_description', message, read.keyOf('description'));
  }
  return { definition, findings: read.findings };
}

/** Without front matter the whole text is the body. */
function optionalHeader(text: string): Header {
  const header = readHeader(text);
  const none = header.findings.some(({ code }) => code === 'no_front_matter');
  return none ? { ...header, findings: [], readable: true } : header;
}

function modelsOf(value: unknown): string[] | undefined {
  if (typeof value === 'string' && value.trim() !== '') return [value.trim()];
  if (!Array.isArray(value)) return undefined;
  return value.filter((item) => typeof item === 'string');
}
