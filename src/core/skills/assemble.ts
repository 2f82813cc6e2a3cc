import { basename, dirname } from 'node:path';
import type { Diagnostic } from './diagnostic.ts';
import type { LoadedDefinition, LoadedSkill } from './load.ts';
import type { Kind, Place } from './places.ts';
import type { DefinitionFile, Registry, Skill, UnusedSkill } from './registry.ts';

interface Loaded {
  readonly skill?: LoadedSkill;
  readonly definition?: LoadedDefinition;
}

/** Puts what was read together, in order of precedence: the first valid file of a name has it. */
export function assemble(
  loaded: readonly Loaded[],
  discovered: readonly Diagnostic[],
  places: readonly Place[],
): Registry {
  const { skills, unused, used } = settleNames(loaded.flatMap(({ skill }) => skill ?? []));
  for (const described of describedOnly(places, loaded)) {
    if (!skills.has(described.name)) skills.set(described.name, described);
  }
  const definitions = loaded.flatMap(({ definition }) => definition ?? []);
  const ofKind = (kind: Kind): Map<string, DefinitionFile> => {
    const files = new Map<string, DefinitionFile>();
    for (const { definition, found, diagnostics } of definitions) {
      if (found.kind !== kind || files.has(definition.name) || hasError(diagnostics)) continue;
      files.set(definition.name, { ...definition, source: found.place.source, file: found.file });
    }
    return files;
  };
  return {
    skills,
    unused,
    agents: ofKind('agent'),
    prompts: ofKind('prompt'),
    diagnostics: [
      ...discovered,
      ...used.flatMap((skill) => [...skill.diagnostics, ...missingPrerequisites(skill, skills)]),
      ...unused.flatMap((skill) => skill.diagnostics),
      ...definitions.flatMap((one) => one.diagnostics),
    ],
  };
}

function settleNames(loaded: readonly LoadedSkill[]) {
  const skills = new Map<string, Skill>();
  const unused: UnusedSkill[] = [];
  const used: LoadedSkill[] = [];
  for (const skill of loaded) {
    const { fields, found, diagnostics } = skill;
    const { file, folder, within, place } = found;
    const winner = skills.get(fields.name);
    const unusable = { name: basename(dirname(file)), source: place.source, file };
    if (hasError(diagnostics)) unused.push({ ...unusable, reason: 'invalid', diagnostics });
    else if (winner) {
      unused.push({ ...unusable, reason: 'shadowed', diagnostics: [...diagnostics, shadowedBy(winner, skill)] });
    } else {
      const from = { source: place.source, file, folder: folder!, within: within ?? folder! };
      skills.set(fields.name, { ...fields, ...from, text: skill.body });
      used.push(skill);
    }
  }
  return { skills, unused, used };
}

function shadowedBy({ file, source }: Skill, { fields, found }: LoadedSkill): Diagnostic {
  return {
    file: found.file,
    line: 1,
    column: 1,
    end_line: 1,
    end_column: 4,
    severity: 'warning',
    code: 'shadowed',
    message: `Another skill is called "${fields.name}" too, and that one is used: ${file} (${source}).`,
  };
}

/** Skills that an extension names and describes, but brings no file for. */
function describedOnly(places: readonly Place[], loaded: readonly Loaded[]): Skill[] {
  const withFile = new Set(loaded.map(({ skill }) => skill?.found.place));
  return places.flatMap((place): Skill[] => {
    const { kind, path, source, contribution } = place;
    if (kind !== 'skill' || !contribution?.description || withFile.has(place)) return [];
    return [
      {
        name: contribution.name ?? basename(path),
        description: contribution.description,
        user_invocable: true,
        model_invocable: true,
        prerequisites: [],
        source,
        file: null,
        folder: null,
        within: null,
        text: '',
      },
    ];
  });
}

function missingPrerequisites(
  { fields, found, prerequisitesAt }: LoadedSkill,
  skills: ReadonlyMap<string, Skill>,
): Diagnostic[] {
  return fields.prerequisites
    .filter((name) => !skills.has(name))
    .map((name) => ({
      file: found.file,
      ...prerequisitesAt,
      severity: 'warning',
      code: 'missing_prerequisite',
      message: `The prerequisite "${name}" is no skill that is there and valid.`,
    }));
}

function hasError(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(({ severity }) => severity === 'error');
}
