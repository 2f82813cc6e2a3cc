import * as vscode from 'vscode';
import type { App } from '../../core/app.ts';
import { UserError } from '../../core/errors.ts';
import { withPassword } from '../../core/sql/connections/passwords.ts';
import { withSignal } from '../cancellation.ts';
import type { VscodeHost } from '../host.ts';
import type { CommandId } from '../manifest.ts';
import { askForConnection } from './connection-form.ts';
import type { ConnectionNode, ListedConnection } from './connections-tree.ts';

type ConnectionCommandId = Exclude<Extract<CommandId, `loci.connection.${string}`>, 'loci.connection.refresh'>;

/** Name of the secret that holds the passwords of all connections. */
const PASSWORDS = 'data.passwords';

/** Adding, changing, testing and removing database connections. */
export function connectionCommands(
  app: App,
  host: VscodeHost,
): Record<ConnectionCommandId, (node?: ConnectionNode) => Promise<unknown>> {
  const { t } = vscode.l10n;

  const connectionOf = async (
    node: ConnectionNode | undefined,
    title: string,
  ): Promise<ListedConnection | undefined> => {
    if (node?.kind === 'connection') return node.connection;
    const { connections } = await app.sql.list(undefined);
    const rows = connections
      .filter(({ origin }) => origin === 'registered')
      .map((connection) => ({ label: connection.name, description: connection.connection_id, connection }));
    if (rows.length > 0) return (await vscode.window.showQuickPick(rows, { title }))?.connection;
    void vscode.window.showInformationMessage(t('No connection is registered yet: add one first.'));
    return undefined;
  };

  const storePassword = async (key: string | undefined, password: string | undefined): Promise<void> => {
    if (key === undefined || password === undefined) return;
    await host.setSecret(PASSWORDS, withPassword(await host.secret(PASSWORDS), key, password));
    // The worker is to know it before the connection is tried.
    await app.reconfigure();
  };

  const test = (connection_id: string) =>
    vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title: t('Testing {0}', connection_id), cancellable: true },
      (_, cancellation) =>
        withSignal(cancellation, async (signal) => {
          try {
            await app.sql.test({ connection_id }, signal);
            vscode.window.setStatusBarMessage(t('{0} can be reached', connection_id), 5000);
          } catch (error) {
            if (signal.aborted) return;
            if (!(error instanceof UserError)) throw error;
            void vscode.window.showWarningMessage(`${connection_id}: ${error.message} ${error.next}`);
          }
        }),
    );

  return {
    async 'loci.connection.add'() {
      const form = await askForConnection();
      if (!form) return;
      const { connection_id, password_key } = await app.sql.add({ connection: form.connection });
      await storePassword(password_key, form.password);
      await test(connection_id);
    },
    async 'loci.connection.edit'(node) {
      const existing = await connectionOf(node, t('Edit which connection?'));
      const form = existing && (await askForConnection(existing));
      if (!form) return;
      const edit = { connection_id: existing.connection_id, connection: form.connection };
      const { connection_id, password_key } = await app.sql.edit(edit);
      await storePassword(password_key, form.password);
      await test(connection_id);
    },
    async 'loci.connection.test'(node) {
      const connection = await connectionOf(node, t('Test which connection?'));
      if (connection) await test(connection.connection_id);
    },
    async 'loci.connection.remove'(node) {
      const connection = await connectionOf(node, t('Remove which connection?'));
      if (!connection) return;
      const agreed = t('Remove');
      const question = t('Remove the connection {0}?', connection.connection_id);
      const detail = t('The database stays as it is. Its password is forgotten.');
      if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, agreed)) !== agreed) return;
      await app.sql.remove({ connection_id: connection.connection_id });
      const secret = await host.secret(PASSWORDS);
      await host.setSecret(PASSWORDS, withPassword(secret, connection.target, undefined));
    },
  };
}
