import type { AssetDraft, EdgeDraft, Fragment, FragmentProblem, Ref, ScanContext } from '../fragment.ts';
import { qualifiedName } from '../names.ts';
import { lineContaining } from './grafana.ts';
import { sqlEdges } from './sql-edges.ts';
import { definitionOf, described, fieldsOf, given, listOf } from './text.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A Metabase export, JSON or serialised YAML: questions with their SQL or source table, and dashboards of them. */
export async function metabase(value: unknown, text: string, context: ScanContext): Promise<Fragment | undefined> {
  const entries = (Array.isArray(value) ? value.slice(0, 5000) : [value]).map(fieldsOf);
  const found = entries.filter((entry) => isCard(entry) || isDashboard(entry));
  if (found.length === 0) return undefined;
  const assets: AssetDraft[] = [];
  const edges: EdgeDraft[] = [];
  const problems: FragmentProblem[] = [];
  const readCard = async (card: Fields): Promise<string | undefined> => {
    const name = described(card.name);
    if (!name || !isCard(card)) return undefined;
    const qualified = qualifiedName('metabase', 'card', idOf(card));
    const self: Ref = { kind: 'name', name: qualified };
    const query = fieldsOf(card.dataset_query);
    const sql = described(fieldsOf(query.native).query);
    const line = lineContaining(text, name);
    if (sql) {
      const at = lineContaining(text, sql);
      // Optional clauses [[…]] and {{parameters}} stand for filters and values.
      const plain = sql.replace(/\[\[[^[\]]*\]\]/g, '').replace(/\{\{[^{}]*\}\}/g, "'x'");
      const read = await sqlEdges(plain, self, { ...context, line: at, basis: 'question_sql' });
      edges.push(...read.edges.map((edge) => ({ ...edge, line: at })));
      problems.push(...read.problems.map((problem) => ({ line: at, message: `${name}: ${problem.message}` })));
    } else edges.push(...sourceEdges(fieldsOf(query.query), self, line));
    assets.push({
      qualified_name: qualified,
      node_type: 'dashboard',
      name,
      line,
      ...given('description', described(card.description)),
      ...given('definition', sql && definitionOf(sql)),
      facts: { kind: 'question', ...given('display', described(card.display)) },
    });
    return qualified;
  };
  for (const entry of found) {
    if (!isDashboard(entry)) {
      await readCard(entry);
      continue;
    }
    const name = described(entry.name)!;
    const qualified = qualifiedName('metabase', 'dashboard', idOf(entry));
    const line = lineContaining(text, name);
    assets.push({
      qualified_name: qualified,
      node_type: 'dashboard',
      name,
      line,
      ...given('description', described(entry.description)),
      facts: { kind: 'dashboard', cards: cardsOf(entry).length },
    });
    for (const placed of cardsOf(entry)) {
      const inner = await readCard(fieldsOf(placed.card));
      const id = described(placed.card_id);
      const from = inner ?? (id && qualifiedName('metabase', 'card', id));
      if (from)
        edges.push({
          from: { kind: 'name', name: from },
          to: { kind: 'name', name: qualified },
          basis: 'dashboard_card',
          line,
        });
    }
  }
  return { assets, edges, ...given('problems', problems) };
}

function isCard(entry: Fields): boolean {
  return typeof entry.name === 'string' && typeof entry.dataset_query === 'object' && entry.dataset_query !== null;
}

function isDashboard(entry: Fields): boolean {
  const cards = entry.dashcards ?? entry.ordered_cards;
  return typeof entry.name === 'string' && Array.isArray(cards);
}

function cardsOf(entry: Fields): Fields[] {
  return listOf(entry.dashcards ?? entry.ordered_cards).map(fieldsOf);
}

function idOf(entry: Fields): string {
  return described(entry.id) ?? described(entry.entity_id) ?? described(entry.name)!;
}

/** A question built without SQL names its table: by `[database, schema, table]` when serialised, by number otherwise. */
function sourceEdges(query: Fields, self: Ref, line: number): EdgeDraft[] {
  const tables = [query['source-table'], ...listOf(query.joins).map((join) => fieldsOf(join)['source-table'])];
  return tables.flatMap((source): EdgeDraft[] => {
    if (Array.isArray(source)) {
      const parts = source.slice(1).filter((part): part is string => typeof part === 'string');
      return parts.length > 0 ? [{ from: { kind: 'table', parts }, to: self, basis: 'question_table', line }] : [];
    }
    const card = typeof source === 'string' ? /^card__(\d+)$/.exec(source)?.[1] : undefined;
    return card
      ? [
          {
            from: { kind: 'name', name: qualifiedName('metabase', 'card', card) },
            to: self,
            basis: 'question_card',
            line,
          },
        ]
      : [];
  });
}
