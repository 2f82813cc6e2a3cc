import * as z from 'zod';
import { brief, page } from '../../core/util/page.ts';
import { limit, offset } from '../fields.ts';
import { defineTool } from '../tool.ts';

export default defineTool({
  name: 'list_assigned_skills',
  title: 'List skills',
  description:
    'Lists the skills you may use: packages of instructions of the workspace, the person and installed extensions, each with what it is for, where it comes from, and whether it is active in this thread and has been read. Use it to see what there is; to find the skill for a task, search with manage_context(action="SEARCH_CONTEXT", search_scope="skills"), and activate it with ADD_CONTEXT, which also hands you its SKILL.md. Names skills that cannot be used because their SKILL.md is not valid, with the line that is wrong.',
  input: z.object({ limit: limit.describe('Skills per page, 1 to 100.'), offset }),
  effect: 'read',
  async run(window, { skills, capabilities, caller, signal }) {
    const { skills: all, unused } = await skills.list(undefined, signal);
    const { active, read, standard, denied } = await capabilities.skills(caller, signal);
    const assigned = all.filter(({ name }) => !denied.includes(name));
    const { items, pagination } = page(assigned, window, ({ name, description, source, ...skill }) => ({
      name,
      description: brief(description, 500),
      source,
      active: active.includes(name),
      read: read.includes(name),
      ...(standard.includes(name) && { default: true }),
      ...(skill.prerequisites.length > 0 && { prerequisites: skill.prerequisites }),
      ...(skill.argument_hint && { argument_hint: brief(skill.argument_hint, 200) }),
      ...(!skill.model_invocable && { use: 'Only when the person asks for it by name.' }),
    }));
    const invalid = window.offset > 0 ? [] : unused.slice(0, MOST_UNUSED);
    return {
      data: {
        skills: items,
        pagination,
        ...(denied.length > 0 && { denied_by_policy: denied.length }),
        ...(invalid.length > 0 && {
          unused_skills: invalid.map(({ name, source, file, reason, diagnostics }) => ({
            name,
            source,
            file: brief(file, 300),
            reason,
            problems: diagnostics
              .filter(({ severity }) => severity !== 'hint')
              .slice(0, 2)
              .map(({ line, column, message }) => `line ${line}, column ${column}: ${brief(message, 300)}`),
          })),
        }),
        ...(unused.length > invalid.length && { unused_skills_total: unused.length }),
      },
    };
  },
});

/** Skills that cannot be used are named so far; the editor's Problems panel has all. */
const MOST_UNUSED = 5;
