import { posix } from 'node:path';
import type { YamlSource } from '../../util/yaml-source.ts';
import type { AssetDraft, EdgeDraft, Fragment, Ref } from '../fragment.ts';
import { pathName, qualifiedName } from '../names.ts';
import { shellEdges } from './shell.ts';
import { definitionOf, described, fieldsOf, given, listOf, stringsOf } from './text.ts';

/** A GitHub Actions workflow: the workflow, its jobs in their order, and the data that their commands name. */
export function githubActions(path: string, source: YamlSource, text: string): Fragment | undefined {
  const root = fieldsOf(source.value);
  const jobs = Object.entries(fieldsOf(root.jobs));
  if (!/(?:^|\/)\.github\/workflows\/[^/]+$/.test(path) || jobs.length === 0) return undefined;
  const file = path.slice(path.indexOf('.github/workflows/') + 18);
  const pipeline = qualifiedName('github-actions', file);
  const assets: AssetDraft[] = [
    {
      qualified_name: pipeline,
      node_type: 'pipeline',
      name: described(root.name) ?? file,
      line: 1,
      definition: definitionOf(text),
      facts: {
        ...given('triggers', triggersOf(root.on ?? root.true).join(', ')),
        ...given('schedule', scheduleOf(root.on ?? root.true)),
      },
    },
  ];
  const edges: EdgeDraft[] = [];
  for (const [id, value] of jobs) {
    const job = fieldsOf(value);
    const self = ref(qualifiedName('github-actions', file, id));
    const line = source.lineAt(['jobs', id]) ?? 1;
    const steps = listOf(job.steps).map(fieldsOf);
    assets.push({
      qualified_name: self.name,
      node_type: 'job',
      name: described(job.name) ?? id,
      line,
      ...given('description', steps.flatMap((step) => described(step.name) ?? []).join('; ')),
      facts: { workflow: file, ...given('runs_on', described(job['runs-on'])), steps: steps.length },
    });
    const needs = stringsOf(job.needs);
    for (const other of needs)
      edges.push({ from: ref(qualifiedName('github-actions', file, other)), to: self, basis: 'needs', line });
    if (needs.length === 0) edges.push({ from: ref(pipeline), to: self, basis: 'starts', line });
    for (const [i, step] of steps.entries()) {
      if (typeof step.run !== 'string') continue;
      const folder =
        described(step['working-directory']) ??
        described(fieldsOf(fieldsOf(job.defaults).run)['working-directory']) ??
        '.';
      edges.push(
        ...shellEdges(
          step.run,
          path,
          self,
          source.lineAt(['jobs', id, 'steps', i, 'run']) ?? line,
          posix.normalize(folder),
        ),
      );
    }
  }
  return { assets, edges };
}

function triggersOf(on: unknown): string[] {
  return typeof on === 'object' && on !== null && !Array.isArray(on) ? Object.keys(on) : stringsOf(on);
}

function scheduleOf(on: unknown): string {
  return listOf(fieldsOf(on).schedule)
    .flatMap((entry) => described(fieldsOf(entry).cron) ?? [])
    .join(', ');
}

/** Keys of a GitLab CI file that are no jobs. */
const GITLAB_KEYS = new Set(
  'default include stages variables workflow image services before_script after_script cache pages:deploy spec'.split(
    ' ',
  ),
);

/** Jobs of the stage before that a job is linked to: every one waits for every one, and that is said by a few. */
const MOST_BEFORE = 50;

/** A GitLab CI file: its jobs, by stage where they do not say what they need. */
export function gitlabCi(path: string, source: YamlSource, text: string): Fragment | undefined {
  if (!/(?:^|\/)\.gitlab-ci(?:\.[\w-]+)?\.ya?ml$|(?:^|\/)\.gitlab\/ci\//.test(path)) return undefined;
  const root = fieldsOf(source.value);
  const jobs = Object.entries(root).filter(([id, job]) => {
    const { script, trigger, extends: base, stage } = fieldsOf(job);
    return !GITLAB_KEYS.has(id) && !id.startsWith('.') && (script ?? trigger ?? base ?? stage) !== undefined;
  });
  if (jobs.length === 0) return undefined;
  const pipeline = pathName('gitlab-ci', path);
  const assets: AssetDraft[] = [
    {
      qualified_name: pipeline,
      node_type: 'pipeline',
      name: posix.basename(path),
      line: 1,
      definition: definitionOf(text),
    },
  ];
  const edges: EdgeDraft[] = [];
  const stages = stringsOf(root.stages).length > 0 ? stringsOf(root.stages) : ['build', 'test', 'deploy'];
  const stageOf = (job: unknown) => described(fieldsOf(job).stage) ?? 'test';
  const byStage = new Map<string, string[]>();
  for (const [id, job] of jobs) {
    const known = byStage.get(stageOf(job));
    if (known) known.push(id);
    else byStage.set(stageOf(job), [id]);
  }
  for (const [id, value] of jobs) {
    const job = fieldsOf(value);
    const self = ref(pathName('gitlab-ci', path, id));
    const line = source.lineAt([id]) ?? 1;
    assets.push({ qualified_name: self.name, node_type: 'job', name: id, line, facts: { stage: stageOf(job) } });
    const needs = listOf(job.needs).flatMap((need) =>
      typeof need === 'string' ? need : (described(fieldsOf(need).job) ?? []),
    );
    const earlier = stages.slice(0, Math.max(0, stages.indexOf(stageOf(job)))).findLast((stage) => byStage.has(stage));
    const before = Array.isArray(job.needs) ? needs : (byStage.get(earlier ?? '') ?? []).slice(0, MOST_BEFORE);
    const basis = Array.isArray(job.needs) ? 'needs' : 'stage_order';
    for (const other of before) edges.push({ from: ref(pathName('gitlab-ci', path, other)), to: self, basis, line });
    if (before.length === 0) edges.push({ from: ref(pipeline), to: self, basis: 'starts', line });
    const script = [job.before_script, job.script, job.after_script].flatMap((part) => stringsOf(part)).join('\n');
    edges.push(...shellEdges(script, path, self, line, posix.dirname(path)));
  }
  return { assets, edges };
}

function ref(name: string): Extract<Ref, { kind: 'name' }> {
  return { kind: 'name', name };
}
