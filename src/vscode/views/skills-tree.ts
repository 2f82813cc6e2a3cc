import type { App, Domains } from '../../core/app.ts';
import type { LatestChat } from './latest-chat.ts';
import { skillItem } from './skill-items.ts';
import type { TreeSource } from './tree.ts';

type Listed = Awaited<ReturnType<Domains['skills']['list']>>;
type Standing = Awaited<ReturnType<Domains['capabilities']['skills']>>;
export type ListedSkill = Listed['skills'][number];
export type UnusedSkill = Listed['unused'][number];

export type SkillNode =
  | { readonly kind: 'source'; readonly source: string; readonly children: readonly SkillNode[] }
  | { readonly kind: 'skill'; readonly skill: ListedSkill; readonly standing: Standing }
  | { readonly kind: 'unused'; readonly skill: UnusedSkill }
  | { readonly kind: 'file'; readonly skill: ListedSkill; readonly path: string }
  | { readonly kind: 'create' };

/** Skills by where they come from; those that cannot be used among them, with the reason. */
export function skillsTree(app: App, chat: LatestChat): TreeSource<SkillNode> {
  return {
    async roots() {
      const asker = { thread: chat.thread, agent: undefined };
      const [{ skills, unused }, standing] = await Promise.all([
        app.skills.list(undefined),
        app.capabilities.skills(asker),
      ]);
      const sources = new Map<string, SkillNode[]>();
      const under = (source: string): SkillNode[] => {
        const known = sources.get(source) ?? [];
        sources.set(source, known);
        return known;
      };
      // A workspace without skills still has its place, so that it can be given one.
      if (app.host.folders().length > 0) under('workspace');
      for (const skill of skills) under(skill.source).push({ kind: 'skill', skill, standing });
      for (const skill of unused) under(skill.source).push({ kind: 'unused', skill });
      if (sources.get('workspace')?.length === 0) under('workspace').push({ kind: 'create' });
      return [...sources].map(([source, children]): SkillNode => ({ kind: 'source', source, children }));
    },
    async children(node) {
      if (node.kind === 'source') return node.children;
      if (node.kind !== 'skill' || node.skill.folder === null) return [];
      const { files } = await app.skills.files({ name: node.skill.name });
      return files.map(({ path }): SkillNode => ({ kind: 'file', skill: node.skill, path }));
    },
    item: skillItem,
  };
}
