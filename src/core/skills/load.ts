import { basename, dirname } from 'node:path';
import { UserError } from '../errors.ts';
import { type Definition, readDefinition } from './definition.ts';
import { about, type Diagnostic, diagnose, type Finding, type Located, locate } from './diagnostic.ts';
import { type Found, PRIMARY } from './discover.ts';
import { readSkillFile, type SkillFields } from './skill-file.ts';
import { readTextFile } from './text-file.ts';

export interface LoadedSkill {
  readonly found: Found;
  /** Without errors it can be used. */
  readonly diagnostics: readonly Diagnostic[];
  /** Beginning of the body. */
  readonly body: string;
  readonly fields: SkillFields;
  /** Where its prerequisites are named. */
  readonly prerequisitesAt: Located;
}

export interface LoadedDefinition {
  readonly found: Found;
  readonly diagnostics: readonly Diagnostic[];
  readonly definition: Definition;
}

/** A larger SKILL.md, agent or prompt would fill any context: it is an accident. */
const MOST_BYTES = 1_000_000;
/** Characters of a body that are kept for the search. */
const SEARCHED = 8000;

/** Reads and checks one SKILL.md. Whatever is wrong with it becomes a diagnostic. */
export async function loadSkill(found: Found): Promise<LoadedSkill> {
  const { text, findings } = await textOf(found, PRIMARY);
  const file = readSkillFile(text ?? '', basename(dirname(found.file)));
  return {
    found,
    fields: file.fields,
    diagnostics: diagnose(found.file, text ?? '', text === undefined ? findings : [...findings, ...file.findings]),
    prerequisitesAt: locate(text ?? '', file.prerequisitesAt),
    body: file.body.slice(0, SEARCHED),
  };
}

/** Reads and checks one agent or prompt file. */
export async function loadDefinition(found: Found): Promise<LoadedDefinition> {
  const { text, findings } = await textOf(found, basename(found.file));
  const read = readDefinition(found.kind as 'agent' | 'prompt', found.file, text ?? '');
  return {
    found,
    definition: read.definition,
    diagnostics: diagnose(found.file, text ?? '', text === undefined ? findings : [...findings, ...read.findings]),
  };
}

async function textOf({ file, within }: Found, shown: string): Promise<{ text?: string; findings: Finding[] }> {
  try {
    const { text, byteOrderMark, warnings } = await readTextFile(file, { within, maxBytes: MOST_BYTES, shown });
    const message =
      'The file starts with a byte order mark, which hides the front matter from some tools. Save it as plain UTF-8.';
    const findings = warnings.map((warning) => about('warning', 'not_as_in_file', warning));
    return { text, findings: byteOrderMark ? [about('warning', 'byte_order_mark', message), ...findings] : findings };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { findings: [about('error', error.code, `${error.message} ${error.next}`)] };
  }
}
