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
  'loci.showLog': { title: 'Show Log', icon: '$(output)' },
} as const;

export type CommandId = keyof typeof commands;

export const strings = {
  displayName: 'Loci: Context and Memory for Agents',
  description:
    "Gives Copilot's agent mode the right context, offline: ranked search and reading of your workspace's docs, notebooks and PDFs.",
  untrusted: 'In an untrusted workspace, its settings cannot name knowledge bases outside the workspace.',
} as const;
