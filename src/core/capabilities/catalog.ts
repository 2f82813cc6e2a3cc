import { groupBy } from '../util/group-by.ts';

/** When a group's tools may be called in a thread. */
export type Activation =
  /** Always; cannot be switched off. */
  | 'always'
  /** From the start of every thread, until removed. */
  | 'default'
  /** Once activated. */
  | 'on_demand'
  /** Only where the extension itself put it; its name is unknown to everyone else. */
  | 'private';

export interface CatalogTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** One line a parameter, as `name: type = default`; what an agent needs to call the tool at once. */
  readonly parameters: readonly string[];
  /** A setting that must be on for the tool to exist, without the `loci.` prefix. */
  readonly setting?: string | undefined;
}

/** A group of Loci's own tools. */
export interface OwnGroup {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly activation: Activation;
  /** What of its surroundings the group cannot do without. */
  readonly needs?: 'trusted_workspace' | undefined;
  readonly tools: readonly CatalogTool[];
}

/** A tool of another extension or an MCP server, as the editor lists it. */
export interface ForeignTool {
  readonly name: string;
  readonly description: string;
  /** Extension id, `mcp.<server>` or `editor`: the name of its group. */
  readonly owner: string;
  readonly parameters: readonly string[];
}

/** A tool group as a thread sees it. */
export interface Group extends Omit<OwnGroup, 'needs'> {
  /** `loci`, or who brings the tools. */
  readonly owner: string;
  /** Why its tools cannot run here and now, and what would change that. */
  readonly unavailable?: string | undefined;
}

/** All groups: Loci's own, then one for each owner of further tools. Tools whose setting is off are left out. */
export function groupsOf(
  own: readonly OwnGroup[],
  foreign: readonly ForeignTool[],
  { trusted, isOn }: { trusted: boolean; isOn(setting: string): boolean },
): Group[] {
  const ours = own.map(({ needs, tools, ...group }): Group => {
    const untrusted = needs === 'trusted_workspace' && !trusted;
    return {
      ...group,
      owner: 'loci',
      tools: tools.filter(({ setting }) => setting === undefined || isOn(setting)),
      ...(untrusted && { unavailable: 'This workspace is not trusted. Trust it in the editor to use this group.' }),
    };
  });
  const byOwner = groupBy(foreign, ({ owner }) => owner);
  const others = [...byOwner].map(
    ([owner, tools]): Group => ({
      name: owner,
      title: owner,
      description: `Tools of ${owner}. The editor offers them by its own rules; Loci limits them in chats with @loci only.`,
      activation: 'on_demand',
      owner,
      tools: tools.map(({ name, description, parameters }) => ({ name, title: name, description, parameters })),
    }),
  );
  return [...ours, ...others];
}
