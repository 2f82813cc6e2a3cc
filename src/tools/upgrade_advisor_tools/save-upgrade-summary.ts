import * as z from 'zod';
import { defineTool } from '../tool.ts';

export default defineTool({
  name: 'save_upgrade_summary',
  title: 'Save the upgrade report',
  description:
    'Checks the finished report on an update and saves it for this workspace, where the person opens it. Use it to end an advisor run, once, with the whole report in Markdown. A report without a heading, without the version it is about, with placeholders or of another version is refused with what to mend. Saving again replaces the report.',
  input: z.object({
    summary_markdown: z.string().min(1).describe('The whole report, in Markdown.'),
    version: z
      .string()
      .nullable()
      .default(null)
      .describe('Version the report is about; must be the running one when given.'),
  }),
  effect: 'state',
  async run(input, { advisor, caller, signal }) {
    return { data: await advisor.save({ ...input, thread: caller.thread }, signal) };
  },
});
