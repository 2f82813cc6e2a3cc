import { jsonBytes, PAGE_BYTES } from '../util/page.ts';
import type { Group } from './catalog.ts';
import type { SkillPort } from './skill-port.ts';

/** Least room, in bytes of JSON, at which handing over the beginning of a SKILL.md is worth it. */
const LEAST_INLINED = 600;
/** Bytes of JSON for the tools of newly active groups. */
const GROUP_HINTS_BYTES = 3000;

export interface SkillHint {
  readonly skill_name: string;
  readonly primary_file_inlined: boolean;
  readonly primary_file_content?: string;
  readonly primary_file_truncated?: boolean;
  readonly primary_file_next_start_char?: number | null;
  readonly supplementary_files?: readonly { readonly path: string; readonly bytes: number }[];
  readonly next_step: string;
}

/** What to tell of each newly active skill: its SKILL.md where there is room, else the call that reads it. */
export async function skillHints(names: readonly string[], skills: SkillPort, room: number): Promise<SkillHint[]> {
  const hints: SkillHint[] = [];
  let left = room;
  for (const [i, name] of names.entries()) {
    const share = Math.floor(left / (names.length - i));
    const hint = await hintOf(name, skills, share);
    hints.push(hint);
    left -= jsonBytes(hint);
  }
  return hints;
}

async function hintOf(name: string, skills: SkillPort, room: number): Promise<SkillHint> {
  const read = (from: number) =>
    `read_assigned_skill_file(skill_name="${name}", relative_path="SKILL.md"${from > 0 ? `, start_char=${from}` : ''})`;
  const pointer: SkillHint = {
    skill_name: name,
    primary_file_inlined: false,
    next_step: `Call ${read(0)} before using the skill.`,
  };
  if (room < LEAST_INLINED) return pointer;
  const given = await skills.activation(name, room - 400).catch(() => undefined);
  if (given?.primary_file_content === undefined) return pointer;
  const { primary_file_next_start_char: next, supplementary_files: files } = given;
  return {
    skill_name: name,
    primary_file_inlined: true,
    primary_file_content: given.primary_file_content,
    primary_file_truncated: given.primary_file_truncated,
    primary_file_next_start_char: next,
    ...(files.length > 0 && { supplementary_files: files.slice(0, 20) }),
    next_step: given.primary_file_truncated
      ? `The file goes on: call ${read(next ?? 0)}.`
      : 'The whole SKILL.md is above: follow it. Supplementary files are read with read_assigned_skill_file.',
  };
}

/** What to tell of newly active groups, so that their tools can be called in this turn. */
export function groupHints(names: readonly string[], groups: readonly Group[]): object[] {
  const room = Math.floor(GROUP_HINTS_BYTES / Math.max(1, names.length));
  return names.map((name) => {
    const { tools } = groups.find((group) => group.name === name)!;
    const described: object[] = [];
    let bytes = 0;
    for (const tool of tools) {
      const hint = { tool_name: tool.name, parameters: tool.parameters };
      bytes += jsonBytes(hint);
      if (bytes > room) break;
      described.push(hint);
    }
    return {
      tool_group: name,
      tools: described,
      ...(tools.length > described.length && {
        more_tools: tools.slice(described.length, 60).map((tool) => tool.name),
      }),
    };
  });
}

/** Bytes of JSON left for skills in a result that already holds `rest`. */
export function roomBeside(rest: object): number {
  return PAGE_BYTES - jsonBytes(rest);
}
