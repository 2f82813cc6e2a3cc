import { UserError } from '../errors.ts';
import { brief } from '../util/page.ts';
import { isInside } from '../util/paths.ts';
import type { Diagnostic } from './diagnostic.ts';
import { PRIMARY } from './discover.ts';
import type { Surroundings } from './places.ts';
import { prerequisitesOf } from './prerequisites.ts';
import { filesOf, type ReadRequest, readSkillPage } from './read.ts';
import { EMPTY_REGISTRY, type Registry, type Skill, type UnusedSkill } from './registry.ts';
import { createRegistryReader } from './registry-reader.ts';

export interface SkillsOptions {
  /** Told when skills, agents or prompts have changed on disk or in the settings. */
  onChange(): void;
}

const NOWHERE: Surroundings = {
  folders: [],
  skillFolders: [],
  home: '',
  profile: undefined,
  locations: { skill: {}, agent: {}, prompt: {} },
  contributions: [],
};

/**
 * Skills (Agent Skills packages), custom agents and prompt files as they lie on disk. Every method compares with the disk
 * first, so it answers from what is there now.
 */
export function createSkills({ onChange }: SkillsOptions) {
  let configured = '';
  let reader = createRegistryReader(NOWHERE);
  let registry: Registry = EMPTY_REGISTRY;
  let last: Promise<unknown> = Promise.resolve();

  /** One look at the disk at a time, each begun after it was asked for. */
  const fresh = (signal?: AbortSignal): Promise<Registry> => {
    const turn = last.then(async () => {
      const now = await reader.read(signal);
      if (now === registry) return now;
      registry = now;
      onChange();
      return now;
    });
    last = turn.catch(() => undefined);
    return turn;
  };

  const named = async (name: string, signal?: AbortSignal): Promise<Skill> => {
    const { skills, unused } = await fresh(signal);
    const skill = skills.get(name.trim());
    if (skill) return skill;
    const invalid = unused.find((one) => one.name === name.trim() && one.reason === 'invalid');
    if (invalid) throw invalidSkill(invalid);
    throw unknownSkill(name, [...skills.keys()]);
  };

  return {
    /** Looks at no file yet: the next method that is called does. */
    configure(surroundings: Surroundings): void {
      const state = JSON.stringify(surroundings);
      if (state === configured) return;
      configured = state;
      reader = createRegistryReader(surroundings);
      onChange();
    },

    /** What other domains ask for. */
    port: {
      list: async () => [...(await fresh()).skills.values()],
      invalid: async () =>
        (await fresh()).unused
          .filter(({ reason }) => reason === 'invalid')
          .map(({ name, diagnostics }) => ({ name, problem: reasonsOf(diagnostics).join(' ') })),
      agents: async () => [...(await fresh()).agents.keys()],
      prompts: async () => [...(await fresh()).prompts.values()].map(({ file, ...rest }) => ({ ...rest, path: file })),
      prerequisites: async (names: readonly string[]) => prerequisitesOf(names, (await fresh()).skills),
      async activation(name: string, maxBytes: number) {
        const skill = await named(name);
        const { files } = await filesOf(skill);
        const supplementary_files = files
          .filter(({ path }) => path !== PRIMARY)
          .map(({ path, size }) => ({ path, bytes: size }));
        const page = await readSkillPage(skill, { path: PRIMARY, start_char: 0, max_chars: null, max_bytes: maxBytes });
        return {
          primary_file_content: page.content,
          primary_file_truncated: page.truncated,
          primary_file_next_start_char: page.next_start_char,
          supplementary_files,
        };
      },
    },

    /** What the worker answers. */
    methods: {
      /** Every skill that can be used, and those that cannot, with the reasons. */
      async list(_: undefined, signal?: AbortSignal) {
        const { skills, unused } = await fresh(signal);
        return { skills: [...skills.values()].map(summary), unused: [...unused] };
      },
      async agents(_: undefined, signal?: AbortSignal) {
        return [...(await fresh(signal)).agents.values()];
      },
      async prompts(_: undefined, signal?: AbortSignal) {
        return [...(await fresh(signal)).prompts.values()];
      },
      /**
       * The files of a skill by path, and those that are never read.
       * @throws UserError `unknown_skill` or `invalid_skill`
       */
      async files({ name }: { name: string }, signal?: AbortSignal) {
        const skill = await named(name, signal);
        return { skill: summary(skill), ...(await filesOf(skill, signal)) };
      },
      /** @throws UserError as `files` does, or what reading the file throws. */
      read: async ({ name, ...page }: ReadRequest & { name: string }, signal?: AbortSignal) =>
        readSkillPage(await named(name, signal), page),
      /** What is wrong with any skill, agent or prompt file. */
      async diagnostics(_: undefined, signal?: AbortSignal) {
        return [...(await fresh(signal)).diagnostics];
      },
      /** Compares with the disk; `onChange` tells of what is new. */
      async look(_: undefined, signal?: AbortSignal): Promise<void> {
        await fresh(signal);
      },
      /** Looks again if one of the paths may concern a skill, agent or prompt. */
      async changed({ paths }: { paths: readonly string[] }, signal?: AbortSignal): Promise<void> {
        const concerns = (path: string) =>
          reader.places.some((place) => isInside(place.path, path) || isInside(path, place.path));
        if (paths.some(concerns)) await fresh(signal);
      },
    },
  };
}

function summary({ text: _, within: __, ...skill }: Skill) {
  return skill;
}

function unknownSkill(name: string, names: readonly string[]): UserError {
  const words = name
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
  const near = names.filter((other) => words.some((word) => other.includes(word))).slice(0, 5);
  const hint = near.length > 0 ? `Did you mean ${near.join(' or ')}? ` : '';
  return new UserError(
    'unknown_skill',
    `There is no skill "${brief(name, 100)}".`,
    `${hint}Call list_assigned_skills to see what there is.`,
    { unknown_skills: [brief(name, 100)] },
  );
}

function invalidSkill({ name, file, diagnostics }: UnusedSkill): UserError {
  return new UserError(
    'invalid_skill',
    `The skill "${name}" cannot be used: ${reasonsOf(diagnostics).join(' ')}`,
    `Mend ${file}, then try again: it is read anew.`,
    { diagnostics: diagnostics.filter(isError) },
  );
}

function reasonsOf(diagnostics: readonly Diagnostic[]): string[] {
  return diagnostics
    .filter(isError)
    .map(({ line, column, message }) => `line ${line}, column ${column}: ${brief(message, 300)}`);
}

function isError({ severity }: Diagnostic): boolean {
  return severity === 'error';
}
