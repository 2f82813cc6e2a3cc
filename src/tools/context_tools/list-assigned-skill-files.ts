import * as z from 'zod';
import { brief, page } from '../../core/util/page.ts';
import { limit, offset, skillName } from '../fields.ts';
import { defineTool } from '../tool.ts';

export default defineTool({
  name: 'list_assigned_skill_files',
  title: 'List the files of a skill',
  description:
    'Lists the files that a skill brings besides its SKILL.md: references, templates, scripts, with their sizes. Use it when a SKILL.md points to further files, or to see what a skill has before reading it. Read one with read_assigned_skill_file and its relative_path. Files that hold keys, are larger than 4 MB or lead out of the skill are named with the reason and never read.',
  input: z.object({ skill_name: skillName, limit: limit.describe('Files per page, 1 to 100.'), offset }),
  effect: 'read',
  async run({ skill_name: name, ...window }, { skills, capabilities, caller, signal }) {
    await capabilities.admitSkill({ ...caller, skill: name }, signal);
    const { skill, files, skipped } = await skills.files({ name }, signal);
    const { items, pagination } = page(files, window, ({ path, size }) => ({ relative_path: path, size_bytes: size }));
    return {
      data: {
        skill_name: skill.name,
        source: skill.source,
        ...(skill.folder && { folder: brief(skill.folder, 500) }),
        files: items,
        pagination,
        ...(skipped.length > 0 && {
          withheld: skipped
            .slice(0, 10)
            .map(({ path, reason, detail }) => ({ path: brief(path, 200), reason, detail })),
          withheld_total: skipped.length,
        }),
        ...(skill.folder === null && {
          note: 'The skill has no files: its extension gives only a description, which reading SKILL.md returns.',
        }),
      },
    };
  },
});
