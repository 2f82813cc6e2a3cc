/** A valid skill, as far as choosing and activating it goes. */
export interface SkillEntry {
  readonly name: string;
  readonly description: string;
  /** Where it comes from, in words for a person. */
  readonly source: string;
  /** Beginning of its SKILL.md, for the search. */
  readonly text: string;
}

/** A skill handed to a thread on activation. */
export interface SkillActivation {
  /** Undefined when the file cannot be given; `next_step` then says how to get it. */
  readonly primary_file_content?: string | undefined;
  readonly primary_file_truncated: boolean;
  readonly primary_file_next_start_char: number | null;
  readonly supplementary_files: readonly { readonly path: string; readonly bytes: number }[];
}

/** A skill that is there but not valid. */
export interface InvalidSkill {
  readonly name: string;
  /** What is wrong with its SKILL.md, and where. */
  readonly problem: string;
}

export interface PromptEntry {
  readonly name: string;
  readonly description: string;
  readonly path: string;
}

/** What activation needs of the skills domain. */
export interface SkillPort {
  list(): Promise<readonly SkillEntry[]>;
  invalid(): Promise<readonly InvalidSkill[]>;
  prompts(): Promise<readonly PromptEntry[]>;
  /** Names of the skills to activate before these, each after its own prerequisites; missing ones apart. */
  prerequisites(
    names: readonly string[],
  ): Promise<{ readonly order: readonly string[]; readonly missing: readonly string[] }>;
  /** The primary file, at most `maxBytes` of it as JSON. */
  activation(name: string, maxBytes: number): Promise<SkillActivation>;
}
