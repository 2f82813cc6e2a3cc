import * as vscode from 'vscode';
import type { ListedConnection } from './connections-tree.ts';

/** A connection as the person described it. */
export interface ConnectionForm {
  readonly connection: Readonly<Record<string, unknown>>;
  /** Undefined leaves a stored password as it is. */
  readonly password?: string;
}

/** What the person said of a step; undefined when they left. */
type Answer<T> = Promise<T | undefined>;

/** Asks step by step for a connection, starting from an existing one's target where there is one. */
export async function askForConnection(existing?: ListedConnection): Answer<ConnectionForm> {
  const { t } = vscode.l10n;
  const type = existing?.type ?? (await askType());
  if (type === undefined) return undefined;
  const name = await ask({
    title: t('Name of the connection'),
    prompt: t('Letters, digits, - and _; agents know it as {0}.', `${type}.<name>`),
    value: existing?.name ?? '',
    check: (value) => (/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(value) ? undefined : t('Use letters, digits, - and _.')),
  });
  if (name === undefined) return undefined;
  if (type === 'sqlite') {
    const path = existing ? await ask({ title: t('Database file'), value: existing.target }) : await askFile();
    return path === undefined ? undefined : { connection: { type, name, path } };
  }
  return askPostgres(name, existing);
}

async function askPostgres(name: string, existing: ListedConnection | undefined): Answer<ConnectionForm> {
  const { t } = vscode.l10n;
  // The target of a Postgres connection is postgres://user@host:port/database.
  const known = existing ? URL.parse(existing.target) : null;
  const host = await ask({ title: t('Host'), value: known?.hostname ?? 'localhost' });
  if (host === undefined) return undefined;
  const port = await ask({
    title: t('Port'),
    value: known?.port || '5432',
    check: (value) => (/^\d{1,5}$/.test(value) ? undefined : t('A port is a number.')),
  });
  if (port === undefined) return undefined;
  const database = await ask({ title: t('Database'), value: known?.pathname.slice(1) ?? '' });
  if (database === undefined) return undefined;
  const user = await ask({
    title: t('User'),
    value: known?.username ?? '',
    prompt: t('Best a user who may only read.'),
  });
  if (user === undefined) return undefined;
  const encryption = await vscode.window.showQuickPick(
    [
      { label: t('No encryption'), description: t('for this machine and trusted networks'), ssl: 'disable' },
      { label: t('Encrypted'), description: t('the server’s certificate is not checked'), ssl: 'require' },
      { label: t('Encrypted and checked'), description: t('the server’s certificate must be valid'), ssl: 'verify' },
    ],
    { title: t('Encryption'), ignoreFocusOut: true },
  );
  if (encryption === undefined) return undefined;
  const password = await vscode.window.showInputBox({
    title: t('Password'),
    prompt: existing
      ? t('Kept in the secret storage of the editor; leave empty to keep the one that is stored.')
      : t('Kept in the secret storage of the editor; leave empty for none.'),
    password: true,
    ignoreFocusOut: true,
  });
  if (password === undefined) return undefined;
  const connection = { type: 'postgres', name, host, port: Number(port), database, user, ssl: encryption.ssl };
  return password === '' ? { connection } : { connection, password };
}

async function askType(): Answer<string> {
  const { t } = vscode.l10n;
  const types = [
    { label: 'PostgreSQL', description: t('a server'), type: 'postgres' },
    { label: 'SQLite', description: t('a database file'), type: 'sqlite' },
  ];
  return (await vscode.window.showQuickPick(types, { title: t('Add Connection'), ignoreFocusOut: true }))?.type;
}

async function askFile(): Answer<string> {
  const title = vscode.l10n.t('Database file');
  const [file] = (await vscode.window.showOpenDialog({ title, canSelectMany: false })) ?? [];
  return file?.fsPath;
}

interface Question {
  readonly title: string;
  readonly value: string;
  readonly prompt?: string;
  readonly check?: (value: string) => string | undefined;
}

async function ask({ title, value, prompt, check }: Question): Answer<string> {
  const given = await vscode.window.showInputBox({
    title,
    value,
    ...(prompt && { prompt }),
    ignoreFocusOut: true,
    validateInput: (typed) => (typed.trim() === '' ? vscode.l10n.t('This is needed.') : check?.(typed.trim())),
  });
  return given?.trim();
}
