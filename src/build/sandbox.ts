import { installByApt } from './apt.ts';
import { findProgram } from './command.ts';

/** Programs that the sandbox of run_local_command needs on Linux, with the Debian package each is in. */
const programs = { bwrap: 'bubblewrap', socat: 'socat', rg: 'ripgrep' } as const;

/** Sees to it that the tests of sandboxed commands can run; where it cannot, says which will be skipped and why. */
export async function sandboxPrograms(): Promise<void> {
  if (process.platform !== 'linux') return;
  const missing = () => Object.entries(programs).filter(([program]) => !findProgram(program));
  if (missing().length === 0) return;
  const packages = missing().map(([, name]) => name);
  await installByApt(`${packages.join(', ')} for the tests of sandboxed commands (once)`, packages);
  const left = missing().map(([, name]) => name);
  if (left.length === 0) return;
  console.log(`The tests of sandboxed commands are skipped. To run them: sudo apt-get install ${left.join(' ')}`);
}
