import type { Definition } from './definition.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { Source } from './places.ts';
import type { SkillFields } from './skill-file.ts';

/** A skill that can be used. */
export interface Skill extends SkillFields {
  readonly source: Source;
  /** Absolute path of its SKILL.md; null for one that an extension describes without a file. */
  readonly file: string | null;
  /** Its folder, links resolved; null without files. */
  readonly folder: string | null;
  /** Folder that links inside it must not leave. */
  readonly within: string | null;
  /** Beginning of the text after the front matter. */
  readonly text: string;
}

/** A SKILL.md that cannot be used, or whose name another skill has taken. */
export interface UnusedSkill {
  /** Of its folder. */
  readonly name: string;
  readonly source: Source;
  readonly file: string;
  readonly reason: 'invalid' | 'shadowed';
  readonly diagnostics: readonly Diagnostic[];
}

/** A custom agent or prompt file that can be used. */
export interface DefinitionFile extends Definition {
  readonly source: Source;
  /** Absolute path. */
  readonly file: string;
}

export interface Registry {
  readonly skills: ReadonlyMap<string, Skill>;
  readonly unused: readonly UnusedSkill[];
  readonly agents: ReadonlyMap<string, DefinitionFile>;
  readonly prompts: ReadonlyMap<string, DefinitionFile>;
  readonly diagnostics: readonly Diagnostic[];
}

export const EMPTY_REGISTRY: Registry = {
  skills: new Map(),
  unused: [],
  agents: new Map(),
  prompts: new Map(),
  diagnostics: [],
};
