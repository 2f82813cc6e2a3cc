import { execFile } from 'node:child_process';
import { userInfo } from 'node:os';

/** Who writes in this folder: git's `user.name` there, else the account's name. Never fails. */
export function authorIn(folder: string | undefined): Promise<string> {
  const account = () => {
    try {
      return userInfo().username;
    } catch {
      return 'unknown';
    }
  };
  return new Promise((resolve) => {
    const options = { timeout: 3000, windowsHide: true, ...(folder !== undefined && { cwd: folder }) };
    execFile('git', ['config', 'user.name'], options, (error, output) => {
      const name = error ? '' : output.trim().slice(0, 100);
      resolve(name || account());
    });
  });
}
