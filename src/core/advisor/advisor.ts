import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { UserError } from '../errors.ts';
import type { WorkspaceFolder } from '../host.ts';
import { writeFileAtomic } from '../util/atomic-file.ts';
import { sha256 } from '../util/hash.ts';
import { brief, page } from '../util/page.ts';
import { type InventoryKind, type InventoryProviders, inventory } from './inventory.ts';
import { mcpServers } from './mcp-servers.ts';
import { cleanVersion, releaseNotes } from './release-notes.ts';
import { checkedReport, readReport, reportPath, saveReport } from './report.ts';
import { openRequests } from './requests.ts';

const ADVISOR_GROUP = 'upgrade_advisor_tools';
const ADVISOR_SKILL = 'post-upgrade-advisor';
const ADVISOR_THREAD = /^upgrade_advisor_/;

export interface AdvisorConfig {
  readonly storage: string;
  readonly folders: readonly WorkspaceFolder[];
  /** The packaged `media/` folder; what the build says of itself lies beside it. */
  readonly media: string;
}

export interface AdvisorOptions {
  /** What is active in a thread; null for a thread that is not known. */
  standing(thread: string): Promise<{ active_tool_groups: readonly string[]; active_skills: readonly string[] } | null>;
  /** Who knows of each kind; MCP servers are read from the workspace here. */
  readonly providers: Omit<InventoryProviders, 'mcp_servers'>;
}

/** Whose call it is. */
interface Asker {
  readonly thread: string | undefined;
}

const Seen = z.object({ version: z.literal(1), seen: z.string() });

/**
 * Tells the people of a workspace what an update means for them; its tools answer on the advisor's own threads only.
 */
export function createAdvisor({ standing, providers }: AdvisorOptions) {
  let config: AdvisorConfig | undefined;
  const configured = () => {
    if (!config) throw new Error('the advisor is not configured');
    return config;
  };

  /** One refusal for every reason, so that it tells nothing about which check failed. */
  const admit = async ({ thread }: Asker): Promise<void> => {
    if (thread !== undefined && ADVISOR_THREAD.test(thread)) {
      const active = await standing(thread);
      if (active?.active_tool_groups.includes(ADVISOR_GROUP) && active.active_skills.includes(ADVISOR_SKILL)) return;
    }
    throw new UserError('refused', 'This call is not available here.', 'Go on without it.');
  };

  const build = async () => {
    const root = join(configured().media, '..');
    const text = await readFile(join(root, 'package.json'), 'utf8').catch(() => '{}');
    const { version } = JSON.parse(text) as { version?: unknown };
    return {
      version: typeof version === 'string' ? version : '0.0.0',
      notes: join(configured().media, 'release-notes'),
      root,
    };
  };

  const home = () => {
    const { storage, folders } = configured();
    return join(storage, 'advisor', sha256(folders[0]?.path ?? '').slice(0, 16));
  };

  const seenPath = () => join(configured().storage, 'advisor', 'seen.json');

  return {
    async configure(next: AdvisorConfig) {
      config = next;
    },
    async releaseNotes({ version, start_line, ...asker }: Asker & { version: string | null; start_line: number }) {
      await admit(asker);
      return releaseNotes(await build(), version, start_line);
    },
    async inventory({ kind, offset, ...asker }: Asker & { kind: InventoryKind | null; offset: number }) {
      await admit(asker);
      const mcp_servers = () => mcpServers(configured().folders.map(({ path }) => path));
      return inventory({ ...providers, mcp_servers }, kind, offset);
    },
    async requests({ limit, offset, ...asker }: Asker & { limit: number; offset: number }) {
      await admit(asker);
      const { requests, files } = await openRequests(configured().folders.map(({ path }) => path));
      const { items, pagination } = page(requests, { limit, offset }, ({ title, description, ...rest }) => ({
        ...rest,
        title: brief(title, 300),
        ...(description && { description: brief(description, 1000) }),
      }));
      return { requests: items, files, pagination };
    },
    async save({ summary_markdown, version, ...asker }: Asker & { summary_markdown: string; version: string | null }) {
      await admit(asker);
      const running = await build();
      const report = checkedReport(summary_markdown, version, running.version);
      const path = reportPath(home(), running.version);
      await saveReport(path, report);
      return { saved: true, version: cleanVersion(running.version), path, characters: report.length };
    },

    /**
     * For the extension: whether this version is new to the person, and the report on it for this workspace, if
     * written.
     */
    async news() {
      const { version } = await build();
      const text = await readFile(seenPath(), 'utf8').catch(() => '');
      let seen: string | null = null;
      try {
        seen = Seen.parse(JSON.parse(text)).seen;
      } catch {
        // Never seen any version, or the file is damaged: then the version is new.
      }
      const path = reportPath(home(), version);
      return {
        version: cleanVersion(version),
        seen,
        isNew: seen !== cleanVersion(version),
        path,
        report: await readReport(path),
      };
    },
    /** Remembers that the person was told of this version. */
    async markSeen() {
      const { version } = await build();
      await writeFileAtomic(seenPath(), `${JSON.stringify({ version: 1, seen: cleanVersion(version) })}\n`);
    },
    /** What the advisor's agent is told to do. */
    instructions: async () => readFile(join(configured().media, 'advisor', ADVISOR_SKILL, 'SKILL.md'), 'utf8'),
  };
}
