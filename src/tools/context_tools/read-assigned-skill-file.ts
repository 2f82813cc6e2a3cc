import * as z from 'zod';
import { skillName } from '../fields.ts';
import { defineTool } from '../tool.ts';

export default defineTool({
  name: 'read_assigned_skill_file',
  title: 'Read a file of a skill',
  description:
    'Reads the SKILL.md of a skill, or another text file that the skill brings. Use it when an activated skill was not inlined or was cut off, when SKILL.md points to a reference, or to read a skill again after the conversation was compacted. A page fits one result; while `truncated` is true, call it again with start_char = next_start_char, as `continuation_hint` spells out. Get the paths from list_assigned_skill_files.',
  input: z.object({
    skill_name: skillName,
    relative_path: z
      .string()
      .max(1000)
      .default('SKILL.md')
      .describe('Path inside the skill, such as references/guide.md.'),
    start_char: z
      .int()
      .min(0)
      .default(0)
      .describe('Where to start: the next_start_char of the call before. Characters are UTF-16 units.'),
    max_chars: z
      .int()
      .min(1)
      .max(50_000)
      .nullable()
      .default(null)
      .describe(
        'Most characters to return, up to 50,000; null for as many as the editor shows whole (it cuts results above 8 KB).',
      ),
  }),
  effect: 'read',
  async run({ skill_name: name, relative_path: path, ...window }, { skills, capabilities, caller, signal }) {
    await capabilities.admitSkill({ ...caller, skill: name }, signal);
    const data = await skills.read({ name, path, ...window }, signal);
    if (data.relative_path === 'SKILL.md')
      await capabilities.markRead({ ...caller, skills: [data.skill_name] }, signal);
    return { data };
  },
});
