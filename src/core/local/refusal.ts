/** How a local tool can end without doing what was asked. */
export type RefusalStatus = 'refused' | 'not_found' | 'unavailable';

/** Ends a local action with a status instead of an error: `message` says what happened, `next` what to do about it. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: RefusalStatus;
  readonly next: string;

  constructor(status: RefusalStatus, message: string, next: string) {
    super(message);
    this.status = status;
    this.next = next;
  }
}

/** What a local action that was not carried out answers. */
export interface Declined {
  readonly status: RefusalStatus;
  readonly message: string;
  readonly next_step: string;
}

/** Runs an action; a `Refusal` becomes its answer. */
export async function declining<T extends object>(action: () => Promise<T>): Promise<T | Declined> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { status: error.status, message: error.message, next_step: error.next };
  }
}

/** What a failing file operation means for the person; anything unknown is passed on as it is. */
export function refusalOf(error: unknown, path: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return new Refusal('not_found', `${path} does not exist.`, 'List the folder above it, or use action find.');
    case 'EPERM':
    case 'EACCES':
      return new Refusal('refused', `The system does not allow access to ${path}.`, howToAllow(path));
    case 'ENOTEMPTY':
    case 'EEXIST':
      return new Refusal('refused', `${path} is there and not empty.`, 'List what is in it first.');
    case 'EROFS':
    case 'ENOSPC':
    case 'EDQUOT':
    case 'EBUSY':
    case 'EISDIR':
    case 'ENAMETOOLONG':
    case 'EMFILE':
    case 'EIO':
    case 'ELOOP':
    case 'ETXTBSY':
      return new Refusal('refused', `The system refused ${path}: ${(error as Error).message}.`, 'Pass another path.');
    default:
      return error;
  }
}

function howToAllow(path: string): string {
  return process.platform === 'darwin' && /\/(?:Documents|Desktop|Downloads)(?:\/|$)/.test(path)
    ? 'Ask the person to allow the editor that folder: System Settings → Privacy & Security → Files and Folders.'
    : 'Ask the person to change its permissions, or use another file.';
}
