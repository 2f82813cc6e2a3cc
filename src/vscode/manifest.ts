/**
 * Everything the extension contributes besides its tools and settings. The generator writes package.json's
 * `contributes` and package.nls.json from these rows; a command without a handler does not compile.
 */
export const commands = {
  'loci.search': { title: 'Search Knowledge', icon: '$(search)' },
  'loci.showIndexStatus': { title: 'Show Index Status', icon: '$(info)' },
  'loci.rebuildIndex': { title: 'Rebuild Index', icon: '$(refresh)' },
  'loci.evaluateSearch': { title: 'Evaluate Search', icon: '$(beaker)' },
  'loci.setEmbeddingKey': { title: 'Set Key of the Embedding Service', icon: '$(key)' },
  'loci.whatsNew': { title: 'What’s New for This Workspace', icon: '$(sparkle)' },
  'loci.showLog': { title: 'Show Log', icon: '$(output)' },
  'loci.skill.activate': { title: 'Activate Skill in Latest Chat', icon: '$(add)', when: 'loci.hasThread' },
  'loci.skill.deactivate': { title: 'Deactivate Skill in Latest Chat', icon: '$(remove)', when: 'loci.hasThread' },
  'loci.skill.addDefault': { title: 'Start New Chats with Skill', icon: '$(pin)' },
  'loci.skill.removeDefault': { title: 'No Longer Start New Chats with Skill', icon: '$(pinned)' },
  'loci.skill.allow': { title: 'Allow Skill', icon: '$(check)' },
  'loci.skill.deny': { title: 'Deny Skill', icon: '$(circle-slash)' },
  'loci.skill.open': { title: 'Open Skill', icon: '$(go-to-file)' },
  'loci.skill.use': { title: 'Use Skill in Chat', icon: '$(comment-discussion)' },
  'loci.skill.create': { title: 'New Skill', icon: '$(new-folder)', when: 'workspaceFolderCount != 0' },
  'loci.skill.rescan': { title: 'Rescan Skills', icon: '$(refresh)' },
  'loci.group.activate': { title: 'Activate Tool Group in Latest Chat', icon: '$(add)', when: 'loci.hasThread' },
  'loci.group.deactivate': { title: 'Deactivate Tool Group in Latest Chat', icon: '$(remove)', when: 'loci.hasThread' },
  'loci.group.addDefault': { title: 'Start New Chats with Tool Group', icon: '$(pin)' },
  'loci.group.removeDefault': { title: 'No Longer Start New Chats with Tool Group', icon: '$(pinned)' },
  'loci.group.allow': { title: 'Allow Tool Group', icon: '$(check)' },
  'loci.group.deny': { title: 'Deny Tool Group', icon: '$(circle-slash)' },
  'loci.group.refresh': { title: 'Refresh Tool Groups', icon: '$(refresh)' },
  'loci.tool.use': { title: 'Use Tool in Chat', icon: '$(comment-discussion)' },
  'loci.open': { title: 'Open Document', icon: '$(go-to-file)' },
  'loci.reveal': { title: 'Reveal in Explorer', icon: '$(folder-opened)' },
  'loci.copyReference': { title: 'Copy Reference', icon: '$(copy)' },
  'loci.knowledge.rescan': { title: 'Rescan Knowledge', icon: '$(refresh)' },
  'loci.thread.open': { title: 'Open Chat', icon: '$(go-to-file)' },
  'loci.thread.search': { title: 'Search in Chat', icon: '$(search)' },
  'loci.thread.compress': { title: 'Compress Chat', icon: '$(fold)' },
  'loci.thread.recover': { title: 'Recover into Chat Input', icon: '$(history)' },
  'loci.thread.export': { title: 'Export Chat as Markdown', icon: '$(markdown)' },
  'loci.thread.startFrom': { title: 'Start New Chat from This One', icon: '$(comment-add)' },
  'loci.thread.picture': { title: 'Show Memory over Time', icon: '$(graph-line)' },
  'loci.thread.delete': { title: 'Delete Memory of Chat', icon: '$(trash)' },
  'loci.threads.refresh': { title: 'Refresh Thread Memory', icon: '$(refresh)' },
  'loci.wiki.open': { title: 'Edit Learning', icon: '$(edit)' },
  'loci.wiki.approve': { title: 'Approve Learning', icon: '$(check)' },
  'loci.wiki.reject': { title: 'Reject Learning', icon: '$(circle-slash)' },
  'loci.wiki.history': { title: 'Show History of Learning', icon: '$(history)' },
  'loci.wiki.delete': { title: 'Delete Learning', icon: '$(trash)' },
  'loci.wiki.refresh': { title: 'Refresh Team Wiki', icon: '$(refresh)' },
  'loci.data.lineage': { title: 'Show Lineage', icon: '$(type-hierarchy)' },
  'loci.data.ask': { title: 'Ask Agent about Data Asset', icon: '$(comment-discussion)' },
  'loci.data.copyName': { title: 'Copy Qualified Name', icon: '$(copy)' },
  'loci.data.refresh': { title: 'Refresh Data', icon: '$(refresh)' },
  'loci.connection.add': { title: 'Add Connection', icon: '$(add)' },
  'loci.connection.edit': { title: 'Edit Connection', icon: '$(edit)' },
  'loci.connection.test': { title: 'Test Connection', icon: '$(plug)' },
  'loci.connection.remove': { title: 'Remove Connection', icon: '$(trash)' },
  'loci.connection.refresh': { title: 'Refresh Connections', icon: '$(refresh)' },
  'loci.query.open': { title: 'Open Query', icon: '$(go-to-file)' },
  'loci.query.runAgain': { title: 'Run Query Again', icon: '$(play)' },
  'loci.query.copy': { title: 'Copy Query', icon: '$(copy)' },
  'loci.query.ask': { title: 'Ask Agent about Query', icon: '$(comment-discussion)' },
  'loci.query.clear': { title: 'Clear Query History', icon: '$(clear-all)' },
  'loci.query.refresh': { title: 'Refresh Query History', icon: '$(refresh)' },
} as const satisfies Readonly<Record<string, Command>>;

interface Command {
  readonly title: string;
  readonly icon: string;
  /** When the command palette offers it; always when left out. */
  readonly when?: string;
}

export type CommandId = keyof typeof commands;

export const container = { id: 'loci', title: 'Loci', icon: 'media/icons/loci.svg' } as const;

/** Views of the container, from top to bottom. Folded ones read nothing until they are opened. */
export const views = {
  'loci.skills': { name: 'Skills', icon: '$(lightbulb)' },
  'loci.groups': { name: 'Tool Groups', icon: '$(tools)' },
  'loci.knowledge': { name: 'Knowledge', icon: '$(library)' },
  'loci.threads': { name: 'Thread Memory', icon: '$(history)', visibility: 'collapsed' },
  'loci.wiki': { name: 'Team Wiki', icon: '$(comment-discussion)', visibility: 'collapsed' },
  'loci.data': { name: 'Data', icon: '$(database)', visibility: 'collapsed' },
  'loci.connections': { name: 'Connections', icon: '$(plug)', visibility: 'collapsed' },
  'loci.queries': { name: 'Query History', icon: '$(history)', visibility: 'collapsed' },
} as const;

export type ViewId = keyof typeof views;

interface TitleAction {
  readonly view: ViewId;
  readonly command: CommandId;
  /** Place among the icons, or a group of the menu behind them. */
  readonly group: string;
}

export const titleActions: readonly TitleAction[] = [
  { view: 'loci.skills', command: 'loci.skill.create', group: 'navigation@1' },
  { view: 'loci.skills', command: 'loci.skill.rescan', group: 'navigation@2' },
  { view: 'loci.groups', command: 'loci.group.refresh', group: 'navigation@1' },
  { view: 'loci.threads', command: 'loci.thread.search', group: 'navigation@1' },
  { view: 'loci.threads', command: 'loci.threads.refresh', group: 'navigation@2' },
  { view: 'loci.wiki', command: 'loci.wiki.refresh', group: 'navigation@1' },
  { view: 'loci.data', command: 'loci.data.lineage', group: 'navigation@1' },
  { view: 'loci.data', command: 'loci.data.refresh', group: 'navigation@2' },
  { view: 'loci.connections', command: 'loci.connection.add', group: 'navigation@1' },
  { view: 'loci.connections', command: 'loci.connection.refresh', group: 'navigation@2' },
  { view: 'loci.queries', command: 'loci.query.refresh', group: 'navigation@1' },
  { view: 'loci.queries', command: 'loci.query.clear', group: '1_clear@1' },
  { view: 'loci.knowledge', command: 'loci.search', group: 'navigation@1' },
  { view: 'loci.knowledge', command: 'loci.knowledge.rescan', group: 'navigation@2' },
  { view: 'loci.knowledge', command: 'loci.showIndexStatus', group: '1_index@1' },
  { view: 'loci.knowledge', command: 'loci.rebuildIndex', group: '1_index@2' },
  { view: 'loci.knowledge', command: 'loci.evaluateSearch', group: '1_index@3' },
];

interface ItemAction {
  readonly view: ViewId;
  readonly command: CommandId;
  /** Words that an item's context value has to hold. */
  readonly words: readonly string[];
  readonly group: string;
  /** Place among the icons of the item, besides the menu. */
  readonly inline?: number;
  readonly when?: string;
}

const THREAD = 'loci.hasThread';

/** The same for skills and tool groups, whose items use the same words. */
function switches(view: ViewId, kind: 'skill' | 'group'): ItemAction[] {
  const row = (verb: 'activate' | 'deactivate' | 'addDefault' | 'removeDefault' | 'allow' | 'deny') =>
    ({ view, command: `loci.${kind}.${verb}` }) as const;
  return [
    {
      ...row('activate'),
      words: [kind, 'inactive', 'allowed', 'available'],
      group: '2_chat@1',
      inline: 2,
      when: THREAD,
    },
    { ...row('deactivate'), words: [kind, 'active'], group: '2_chat@1', inline: 2, when: THREAD },
    { ...row('addDefault'), words: [kind, 'switchable', 'optional', 'allowed'], group: '3_default@1', inline: 3 },
    { ...row('removeDefault'), words: [kind, 'switchable', 'default'], group: '3_default@1', inline: 3 },
    { ...row('allow'), words: [kind, 'denied'], group: '4_policy@1' },
    { ...row('deny'), words: [kind, 'switchable', 'allowed'], group: '4_policy@1' },
  ];
}

export const itemActions: readonly ItemAction[] = [
  { view: 'loci.skills', command: 'loci.skill.use', words: ['skill', 'allowed'], group: '1_use@1', inline: 1 },
  ...switches('loci.skills', 'skill'),
  { view: 'loci.skills', command: 'loci.skill.open', words: ['skill', 'onDisk'], group: '5_file@1' },
  { view: 'loci.skills', command: 'loci.skill.open', words: ['unused'], group: '5_file@1' },
  { view: 'loci.skills', command: 'loci.open', words: ['file'], group: '5_file@1' },
  { view: 'loci.skills', command: 'loci.reveal', words: ['onDisk'], group: '5_file@2' },
  { view: 'loci.skills', command: 'loci.copyReference', words: ['onDisk'], group: '6_copy@1' },
  ...switches('loci.groups', 'group'),
  { view: 'loci.groups', command: 'loci.tool.use', words: ['tool'], group: '1_use@1', inline: 1 },
  { view: 'loci.groups', command: 'loci.copyReference', words: [], group: '6_copy@1' },
  { view: 'loci.threads', command: 'loci.thread.open', words: ['thread'], group: '1_use@1' },
  { view: 'loci.threads', command: 'loci.thread.search', words: ['thread'], group: '1_use@2', inline: 1 },
  { view: 'loci.threads', command: 'loci.thread.recover', words: ['thread'], group: '1_use@3' },
  { view: 'loci.threads', command: 'loci.thread.startFrom', words: ['thread'], group: '1_use@4' },
  { view: 'loci.threads', command: 'loci.thread.picture', words: ['thread'], group: '2_memory@1', inline: 2 },
  { view: 'loci.threads', command: 'loci.thread.compress', words: ['thread'], group: '2_memory@2' },
  { view: 'loci.threads', command: 'loci.thread.export', words: ['thread'], group: '5_file@1' },
  { view: 'loci.threads', command: 'loci.thread.delete', words: ['thread', 'own'], group: '9_delete@1' },
  { view: 'loci.threads', command: 'loci.thread.recover', words: ['block'], group: '1_use@1', inline: 1 },
  { view: 'loci.data', command: 'loci.data.lineage', words: ['asset'], group: '1_use@1', inline: 1 },
  { view: 'loci.data', command: 'loci.data.ask', words: ['asset'], group: '1_use@2', inline: 2 },
  { view: 'loci.data', command: 'loci.open', words: ['onDisk'], group: '5_file@1' },
  { view: 'loci.data', command: 'loci.data.copyName', words: ['asset'], group: '6_copy@1' },
  { view: 'loci.data', command: 'loci.data.copyName', words: ['column'], group: '6_copy@1' },
  { view: 'loci.connections', command: 'loci.connection.test', words: ['registered'], group: '1_use@1', inline: 1 },
  { view: 'loci.connections', command: 'loci.connection.edit', words: ['registered'], group: '2_edit@1', inline: 2 },
  { view: 'loci.connections', command: 'loci.connection.remove', words: ['registered'], group: '9_delete@1' },
  { view: 'loci.queries', command: 'loci.query.runAgain', words: ['query'], group: '1_use@1', inline: 1 },
  { view: 'loci.queries', command: 'loci.query.ask', words: ['query'], group: '1_use@2', inline: 2 },
  { view: 'loci.queries', command: 'loci.query.open', words: ['query'], group: '5_file@1' },
  { view: 'loci.queries', command: 'loci.query.copy', words: ['query'], group: '6_copy@1' },
  { view: 'loci.wiki', command: 'loci.wiki.approve', words: ['waiting'], group: '1_review@1', inline: 1 },
  { view: 'loci.wiki', command: 'loci.wiki.approve', words: ['learning', 'rejected'], group: '1_review@1' },
  { view: 'loci.wiki', command: 'loci.wiki.reject', words: ['waiting'], group: '1_review@2', inline: 2 },
  { view: 'loci.wiki', command: 'loci.wiki.reject', words: ['active', 'decided'], group: '1_review@2' },
  { view: 'loci.wiki', command: 'loci.wiki.open', words: ['learning'], group: '2_edit@1' },
  { view: 'loci.wiki', command: 'loci.wiki.history', words: ['learning'], group: '2_edit@2', inline: 3 },
  { view: 'loci.wiki', command: 'loci.wiki.delete', words: ['learning'], group: '9_delete@1' },
  { view: 'loci.knowledge', command: 'loci.open', words: ['document'], group: '5_file@1' },
  { view: 'loci.knowledge', command: 'loci.reveal', words: ['onDisk'], group: '5_file@2', inline: 1 },
  { view: 'loci.knowledge', command: 'loci.copyReference', words: ['onDisk'], group: '6_copy@1' },
];

/** What an empty view says. */
export const welcomes: readonly { readonly view: ViewId; readonly text: string; readonly when?: string }[] = [
  {
    view: 'loci.data',
    text: 'No data assets were found here: SQL files, dbt projects, data files, notebooks, pipelines, dashboards and API schemas are read as they appear.',
  },
  {
    view: 'loci.connections',
    text: 'Register a database, and agents can look at its tables and ask it: they only read, and passwords stay in the secret storage of the editor.\n[Add Connection](command:loci.connection.add)',
  },
  { view: 'loci.queries', text: 'Queries that agents or you run through Loci are listed here.' },
  {
    view: 'loci.wiki',
    text: 'What agents and people learn about your data and code is kept here: small files under .loci/wiki that a team shares through git.\nAgents may read the wiki, and write to it once you allow it.\n[Let Agents Write Learnings](command:workbench.action.openSettings?%5B%22loci.wiki.writeEnabled%22%5D)',
  },
  {
    view: 'loci.knowledge',
    text: 'Open a folder to have its documents indexed: Markdown, notebooks, PDF, DOCX and more.\n[Open Folder](command:vscode.openFolder)\nOr name other folders in the settings.\n[Add a Knowledge Base](command:workbench.action.openSettings?%22loci.knowledgeBases%22)',
    when: 'workspaceFolderCount == 0',
  },
  {
    view: 'loci.knowledge',
    text: 'No documents were found here: Markdown, reStructuredText, AsciiDoc, HTML, notebooks, PDF and DOCX files are indexed as they appear.\n[Show Index Status](command:loci.showIndexStatus)\n[Add a Knowledge Base](command:workbench.action.openSettings?%22loci.knowledgeBases%22)',
    when: 'workspaceFolderCount != 0',
  },
];

/** Skills that come with the extension. */
export const ownSkills = ['./media/skills/loci/SKILL.md'] as const;

export const strings = {
  displayName: 'Loci: Context and Memory for Agents',
  description:
    "Gives Copilot's agent mode the right context, offline: ranked search and reading of your workspace's docs, notebooks and PDFs.",
  untrusted: 'In an untrusted workspace, its settings cannot name knowledge bases outside the workspace.',
} as const;
