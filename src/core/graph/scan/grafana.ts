import type { EdgeDraft, Fragment, FragmentProblem, Ref, ScanContext } from '../fragment.ts';
import { qualifiedName } from '../names.ts';
import { sqlEdges } from './sql-edges.ts';
import { definitionOf, described, fieldsOf, given, listOf, stringsOf } from './text.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A Grafana dashboard export: its panels and variables, and the tables that their SQL reads. */
export async function grafana(value: unknown, text: string, context: ScanContext): Promise<Fragment | undefined> {
  const wrapped = fieldsOf(value).dashboard;
  const root = fieldsOf(wrapped ?? value);
  const isDashboard =
    Array.isArray(root.panels ?? root.rows) &&
    ('schemaVersion' in root || 'templating' in root || wrapped !== undefined);
  const title = described(root.title);
  if (!isDashboard || !title) return undefined;
  const uid = described(root.uid) ?? title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-');
  const self: Ref = { kind: 'name', name: qualifiedName('grafana', uid) };
  const edges: EdgeDraft[] = [];
  const problems: FragmentProblem[] = [];
  const queries: string[] = [];
  const lineOf = (needle: string) => lineContaining(text, needle);
  const read = async (sql: unknown, what: string) => {
    if (typeof sql !== 'string' || sql.trim() === '') return;
    queries.push(`-- ${what}\n${sql.trim()}`);
    const line = lineOf(sql);
    const found = await sqlEdges(plainSql(sql), self, { ...context, line, basis: 'panel_sql' });
    edges.push(...found.edges.map((edge) => ({ ...edge, line })));
    problems.push(...found.problems.map((problem) => ({ line, message: `${what}: ${problem.message}` })));
  };
  const panels = allPanels(root);
  for (const panel of panels) {
    const name = described(panel.title) ?? `Panel ${panel.id ?? ''}`.trim();
    for (const target of listOf(panel.targets).map(fieldsOf)) {
      await read(target.rawSql ?? target.rawQuery ?? target.queryText, name);
      if (typeof target.expr === 'string') queries.push(`-- ${name}\n${target.expr}`);
    }
  }
  for (const variable of listOf(fieldsOf(root.templating).list).map(fieldsOf)) {
    const query = typeof variable.query === 'string' ? variable.query : fieldsOf(variable.query).rawSql;
    if (variable.type === 'query' && typeof query === 'string' && /\bselect\b/i.test(query)) {
      await read(query, `Variable ${described(variable.name) ?? ''}`);
    }
  }
  for (const annotation of listOf(fieldsOf(root.annotations).list).map(fieldsOf)) {
    await read(annotation.rawQuery, `Annotation ${described(annotation.name) ?? ''}`);
  }
  const titles = panels.flatMap((panel) => described(panel.title) ?? []);
  return {
    assets: [
      {
        qualified_name: self.name,
        node_type: 'dashboard',
        name: title,
        line: lineOf('"title"'),
        ...given(
          'description',
          [described(root.description), titles.length > 0 ? `Panels: ${titles.join('; ')}` : '']
            .filter(Boolean)
            .join(' '),
        ),
        ...given('tags', stringsOf(root.tags)),
        ...given('definition', definitionOf(queries.join('\n\n'))),
        facts: { panels: panels.length, ...given('datasources', datasources(panels).join(', ')) },
      },
    ],
    edges,
    ...given('problems', problems),
  };
}

function allPanels(root: Fields): Fields[] {
  const rows = listOf(root.rows).flatMap((row) => listOf(fieldsOf(row).panels));
  return [...listOf(root.panels), ...rows]
    .map(fieldsOf)
    .flatMap((panel) => [panel, ...listOf(panel.panels).map(fieldsOf)]);
}

function datasources(panels: readonly Fields[]): string[] {
  const names = panels.flatMap(({ datasource }) => described(datasource) ?? described(fieldsOf(datasource).uid) ?? []);
  return [...new Set(names)];
}

/** SQL without Grafana's macros and variables, which stand for filters and values. */
function plainSql(sql: string): string {
  return sql
    .replace(/\$__(?:timeGroup(?:Alias)?|unixEpochGroup(?:Alias)?)\(([^(),]*)(?:,[^()]*)?\)/g, '$1')
    .replace(/\$__(?:timeFilter|unixEpochFilter|unixEpochNanoFilter)\(([^()]*)\)/g, '$1 IS NOT NULL')
    .replace(/\$__\w+(?:\(([^()]*)\))?/g, (_, inner: string | undefined) => inner || '0')
    .replace(/'?(?:\$\{(\w+)(?::\w+)?\}|\[\[(\w+)\]\]|\$(\w+))'?/g, "'x'");
}

/** Line, from 1, of a JSON string in the file it was read from; 1 where it is written in another way. */
export function lineContaining(text: string, value: string): number {
  const written = JSON.stringify(value).slice(1, -1);
  const at = [text.indexOf(written), text.indexOf(value)].find((place) => place >= 0) ?? 0;
  let line = 1;
  for (let next = text.indexOf('\n'); next >= 0 && next < at; next = text.indexOf('\n', next + 1)) line++;
  return line;
}
