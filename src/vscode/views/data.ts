import * as vscode from 'vscode';
import type { App } from '../../core/app.ts';
import type { VscodeHost } from '../host.ts';
import { connectionCommands } from './connection-commands.ts';
import { connectionsTree } from './connections-tree.ts';
import { dataCommands } from './data-commands.ts';
import { dataTree } from './data-tree.ts';
import { createLineage } from './lineage.ts';
import { queryCommands } from './query-commands.ts';
import { queryHistoryTree } from './query-history-tree.ts';
import { createTree } from './tree.ts';

/** The views of data: what there is, how it is reached, and what was asked of it. */
export function createDataViews(app: App, host: VscodeHost, report: (error: unknown) => void) {
  const data = createTree(
    'loci.data',
    dataTree(app, (scanning) => {
      data.view.message = scanning ? vscode.l10n.t('Files are still being read…') : '';
    }),
    report,
  );
  const connections = createTree('loci.connections', connectionsTree(app), report);
  const history = createTree('loci.queries', queryHistoryTree(app), report);
  const lineage = createLineage(app, report);
  app.on('graph', () => data.view.visible && data.refresh());
  app.on('connections', () => {
    connections.refresh();
    history.refresh();
  });
  return {
    commands: {
      ...dataCommands(app, lineage),
      ...connectionCommands(app, host),
      ...queryCommands(app),
      'loci.data.refresh': () => data.refresh(),
      'loci.connection.refresh': () => connections.refresh(),
      'loci.query.refresh': () => history.refresh(),
    },
    disposable: vscode.Disposable.from(
      data,
      connections,
      history,
      lineage,
      data.view.onDidChangeVisibility(({ visible }) => visible && data.refresh()),
    ),
  };
}
