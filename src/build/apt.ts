import { findProgram, runCommand } from './command.ts';

/**
 * Installs Debian packages where that is possible without asking: as root, with apt. `what` says for people what it is
 * about. Returns false where it cannot, or where it failed; the output of a failure is shown.
 */
export async function installByApt(what: string, packages: readonly string[]): Promise<boolean> {
  if (process.getuid?.() !== 0 || !findProgram('apt-get')) return false;
  console.log(`Installing ${what} ...`);
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  await runCommand('apt-get', ['update'], { env, meanwhile: 'reading the package lists' });
  const { code, output } = await runCommand('apt-get', ['install', '--yes', '--no-install-recommends', ...packages], {
    env,
    meanwhile: `installing ${packages.join(', ')}`,
  });
  if (code !== 0) console.error(output);
  return code === 0;
}
