import { parseJsonc } from '../../util/jsonc.ts';
import { readYaml } from '../../util/yaml-source.ts';
import type { Fragment, Scanner } from '../fragment.ts';
import { grafana, lineContaining } from './grafana.ts';
import { metabase } from './metabase.ts';
import { openApi } from './openapi.ts';
import { recordsFragment } from './records.ts';
import { githubActions, gitlabCi } from './workflows.ts';

/** Settings and lock files of tools: never data. */
const NO_DATA =
  /(?:^|\/)(?:package|package-lock|tsconfig[\w.-]*|jsconfig|composer|manifest|catalog|run_results|\.eslintrc|\.prettierrc)\.json$|(?:^|\/)\.vscode\//i;
const DATA_MARKS =
  /"(?:panels|dashboard|openapi|swagger|dataset_query|dashcards|ordered_cards)"|^\s*(?:\[|\{\s*"type"\s*:\s*"FeatureCollection")/;

/** JSON files, by what is in them: Grafana dashboards, Metabase exports, OpenAPI, lists of records. */
export const jsonScanner: Scanner = {
  name: 'json-1',
  claims: ({ path, dbt }) => /\.(?:json|geojson)$/i.test(path) && dbt === undefined && !NO_DATA.test(path),
  async scan(file, context) {
    const text = await file.text();
    if (!DATA_MARKS.test(text)) return {};
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      // Comments and trailing commas are for settings, which are not data.
      const line = text.slice(0, parseJsonc(text).error).split('\n').length;
      return { problems: [{ line, message: `Not JSON: ${(error as Error).message.slice(0, 150)}` }] };
    }
    const found: Fragment | undefined =
      (await grafana(value, text, context)) ??
      openApi(file.path, value, (path) => lineContaining(text, String(path.at(-1)))) ??
      (await metabase(value, text, context)) ??
      recordsFragment(file, value);
    return found ?? {};
  },
};

const YAML_MARKS = /^[ \t]*["']?(?:openapi|swagger|dataset_query|dashcards|jobs|stages|script|include)["']?\s*:/m;

/** YAML files, by what is in them: workflows, OpenAPI, Metabase. Property files of dbt projects have a scanner of their own. */
export const yamlScanner: Scanner = {
  name: 'yaml-1',
  claims: ({ path, dbt }) => /\.ya?ml$/i.test(path) && dbt === undefined,
  async scan(file, context) {
    const text = await file.text();
    const named = /(?:^|\/)\.git(?:hub|lab)/.test(file.path);
    if (!named && !YAML_MARKS.test(text)) return {};
    const source = readYaml(text);
    const found: Fragment | undefined =
      githubActions(file.path, source, text) ??
      gitlabCi(file.path, source, text) ??
      openApi(file.path, source.value, source.lineAt) ??
      (await metabase(source.value, text, context));
    if (!found) return {};
    return source.problems.length === 0
      ? found
      : { ...found, problems: [...(found.problems ?? []), ...source.problems] };
  },
};
