import * as vscode from 'vscode';
import type { App } from '../../core/app.ts';
import { isInside } from '../../core/util/paths.ts';
import type { OwnChats } from '../chat/own-chats.ts';
import type { VscodeHost } from '../host.ts';
import type { CommandId } from '../manifest.ts';
import { chooser } from './choose.ts';
import { createDataViews } from './data.ts';
import { fileCommands } from './file-commands.ts';
import { groupsTree } from './groups-tree.ts';
import { knowledgeTree } from './knowledge-tree.ts';
import type { LatestChat } from './latest-chat.ts';
import { createProblems } from './problems.ts';
import { skillsTree } from './skills-tree.ts';
import { switchCommands } from './switches.ts';
import { createThreadMemory } from './thread-memory.ts';
import { createTree } from './tree.ts';
import { createWikiView } from './wiki.ts';
import type { WikiNode } from './wiki-tree.ts';

/** Time between two looks at the folders of skills while they are shown, in milliseconds. */
const LOOK_MS = 2000;

/** The sidebar: trees of skills, tool groups, knowledge and past chats, and the problems of skills in the Problems panel. */
export function createViews(
  app: App,
  host: VscodeHost,
  chat: LatestChat,
  chats: OwnChats,
  report: (error: unknown) => void,
) {
  const skills = createTree('loci.skills', skillsTree(app, chat), report);
  const groups = createTree('loci.groups', groupsTree(app, chat), report);
  const knowledge = createTree('loci.knowledge', knowledgeTree(app), report);
  const memory = createThreadMemory(app, chats, report);
  const wiki = createWikiView(app, report);
  const data = createDataViews(app, host, report);
  const problems = createProblems();
  const choose = chooser(app, chat);

  const say = () => {
    const which = chat.thread === undefined ? vscode.l10n.t('new chats') : vscode.l10n.t('latest chat');
    for (const { view } of [skills, groups]) view.description = which;
  };

  const judge = async () => {
    const { contributions } = app.host.customizations();
    // What an extension brings, the person cannot mend.
    const mendable = ({ file }: { readonly file: string }) =>
      !contributions.some(({ path }) => isInside(path.replace(/SKILL\.md$/, ''), file));
    const [diagnostics, { unused }] = await Promise.all([
      app.skills.diagnostics(undefined),
      app.skills.list(undefined),
    ]);
    problems.show(diagnostics.filter(mendable));
    const invalid = unused.filter((skill) => skill.reason === 'invalid' && mendable(skill)).length;
    skills.view.badge =
      invalid === 0 ? undefined : { value: invalid, tooltip: vscode.l10n.t('{0} skills cannot be used', invalid) };
  };

  const refresh = () => {
    say();
    skills.refresh();
    groups.refresh();
    memory.tree.refresh();
  };

  app.on('skills', () => {
    skills.refresh();
    void judge().catch(report);
  });
  app.on('status', () => knowledge.refresh());
  say();
  // The editor's watcher misses what happens inside folders that were made in one go.
  const looking = setInterval(() => {
    if (skills.view.visible) app.skills.look(undefined).catch(report);
  }, LOOK_MS);

  /** A command after which the trees show what came of it. */
  const afterwards =
    <A extends unknown[]>(run: (...args: A) => unknown) =>
    async (...args: A): Promise<void> => {
      await run(...args);
      refresh();
    };
  const threads = Object.entries(memory.commands).map(([id, run]) => [id, afterwards(run)]);
  const wikiActions = Object.fromEntries(
    Object.entries(wiki.commands).map(([id, run]) => [id, (node?: WikiNode) => run(node).finally(wiki.tree.refresh)]),
  ) as typeof wiki.commands;
  const switches = Object.entries(switchCommands(app, chat, choose)).map(([id, run]) => [id, afterwards(run)]);

  const commands = {
    ...(Object.fromEntries(switches) as ReturnType<typeof switchCommands>),
    ...(Object.fromEntries(threads) as typeof memory.commands),
    ...wikiActions,
    ...data.commands,
    ...fileCommands(app, choose),
    'loci.wiki.refresh': () => wiki.tree.refresh(),
    'loci.skill.rescan': afterwards(judge),
    'loci.group.refresh': afterwards(() => undefined),
    'loci.threads.refresh': () => memory.tree.refresh(),
    'loci.knowledge.rescan': () =>
      vscode.window.withProgress({ location: { viewId: 'loci.knowledge' } }, () => app.knowledge.rescan(undefined)),
  } satisfies Partial<Record<CommandId, unknown>>;

  return {
    commands,
    /** Looks at the skills once, so that what is wrong is told without being asked for. */
    start: judge,
    disposable: vscode.Disposable.from(
      skills,
      groups,
      knowledge,
      memory.tree,
      problems,
      wiki.disposable,
      data.disposable,
      chat.onChange(refresh),
      { dispose: () => clearInterval(looking) },
    ),
  };
}

export type ViewCommands = ReturnType<typeof createViews>['commands'];
