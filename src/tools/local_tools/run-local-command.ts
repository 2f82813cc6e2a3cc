import * as z from 'zod';
import { defineTool } from '../tool.ts';

export default defineTool({
  name: 'run_local_command',
  title: 'Command on this computer',
  description:
    'Runs a bash command on this computer in a sandbox: it can read files except credential stores and .env files, and write only its temporary folder and, once approved, working_directory. Use it when you need the state of the machine (df -h, python3 --version, git log, gh pr list), or a program has to be run. Plain reads (ls, cat, grep, find, wc, jq …, also joined by |, && , || or ;) and read-only git, gh, aws and az commands on their own run at once; everything else the person is asked about first, so say in reason why it is needed. Sign-in commands are handed to the person: see `command`, `login_command`. Returns status (ok, failed, timed_out, needs_approval, needs_person, needs_sign_in, refused, unavailable), exit_code, output, truncated, duration_seconds and refused_paths; output that is longer than an answer goes on in output_file: read it with local_files.',
  input: z.object({
    command: z.string().min(1).describe('The bash command, as for bash -c.'),
    reason: z.string().min(1).describe('One short sentence that tells the person why the command is needed.'),
    working_directory: z
      .string()
      .default('')
      .describe('Absolute path of the folder to run in, such as a repository; empty for a fresh empty folder.'),
    timeout_seconds: z.int().default(60).describe('Seconds after which it is stopped, bounded to 1 to 300.'),
  }),
  effect: 'run',
  setting: 'local.commands',
  limitMs: 330_000,
  confirm: (input, { local }) => local.confirmCommand(input),
  run: async (input, { local, signal }) => ({ data: await local.command(input, signal) }),
});
