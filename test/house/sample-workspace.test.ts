import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

const root = join(import.meta.dirname, '../fixtures/sample-workspace');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const files = readdirSync(root, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
const prose = files.filter((file) => /\.(mdx?|rst|adoc|txt|html|ya?ml|sql|py)$/.test(file));

/** First column of a CSV extract: the ids that the documents may mention. */
function ids(table: string): Set<string> {
  const lines = read(`data/${table}.csv`).trim().split('\n');
  return new Set(lines.slice(1).map((line) => line.slice(0, line.indexOf(','))));
}

function mentions(pattern: RegExp): { file: string; found: string }[] {
  return prose.flatMap((file) => [...read(file).matchAll(pattern)].map(([found]) => ({ file, found })));
}

describe('the sample workspace agrees with itself', () => {
  test.each([
    ['orders', /\bSO-\d{8}\b/g],
    ['shipments', /\bSH-\d{8}\b/g],
    ['lots', /\bL-2609-\d{3}\b/g],
    ['customers', /\bC-\d{4}\b/g],
    ['claims', /\bCL-\d{4}\b/g],
    ['excursions', /\bEX-\d{3}\b/g],
    ['growers', /\bG-\d{2}\b/g],
    ['probes', /\bP-\d{3}\b/g],
  ])('every id of %s in a document is in the extract', (table, pattern) => {
    const known = ids(table);
    const found = mentions(pattern);
    expect(found).not.toEqual([]);
    expect(found.filter((mention) => !known.has(mention.found))).toEqual([]);
  });

  test('error codes of the reference, the OpenAPI file and the prose are the same', () => {
    const documented = [...read('docs/api/errors.md').matchAll(/^\| `(TIDE-\d{4})`/gm)].map((match) => match[1]!);
    const schema = parse(read('api/openapi.yaml')).components.schemas.Error.properties.code.enum;
    expect(schema).toEqual(documented);
    const allowed = new Set([...documented, 'TIDE-4025']);
    expect(mentions(/TIDE-\d{4}/g).filter(({ found }) => !allowed.has(found))).toEqual([]);
  });

  test('the endpoints of the API overview are those of the OpenAPI file', () => {
    const rows = [...read('docs/api/overview.md').matchAll(/^\| `(GET|POST) (\/\S+)`/gm)].map((m) => `${m[1]} ${m[2]}`);
    const paths: Record<string, object> = parse(read('api/openapi.yaml')).paths;
    const described = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(rows.toSorted()).toEqual(described.toSorted());
  });

  test('relative links lead to files', () => {
    const broken = prose
      .filter((file) => /\.mdx?$/.test(file))
      .flatMap((file) =>
        [...read(file).matchAll(/\]\((?!https?:)([^)#\s]+)/g)]
          .map((match) => normalize(join(dirname(file), match[1]!)))
          .filter((target) => !existsSync(join(root, target)))
          .map((target) => `${file} -> ${target}`),
      );
    expect(broken).toEqual([]);
  });

  test('row counts in data/README.md are those of the files', () => {
    const rows = [...read('data/README.md').matchAll(/^\| `([\w.]+)` \| ([\d,]+) \|/gm)];
    expect(rows).toHaveLength(12);
    for (const [, file, count] of rows) {
      const lines = read(`data/${file}`).trim().split('\n').length;
      expect(`${file} ${lines - (file!.endsWith('.csv') ? 1 : 0)}`).toBe(`${file} ${count!.replace(',', '')}`);
    }
  });

  test('the words that mark what must not be indexed stand in one file each', () => {
    const marked = (word: string) => prose.filter((file) => read(file).includes(word));
    expect(marked('quahogwhistle')).toEqual(['scratch/not-indexed.md']);
    expect(marked('sargassobell')).toEqual(['docs/archive/binder-2022.md']);
  });
});

describe('the golden questions', () => {
  const questions: Record<'question' | 'kind' | 'answerFile' | 'answerHeading' | 'mustContain', string>[] = JSON.parse(
    readFileSync(join(root, '../sample-questions.json'), 'utf8'),
  );
  const flat = (text: string) => text.replace(/\s+/g, ' ');

  test('are thirty, of both kinds, and name files that exist', () => {
    expect(questions).toHaveLength(30);
    expect(new Set(questions.map(({ kind }) => kind))).toEqual(new Set(['keyword', 'knowledge']));
    expect(questions.filter(({ answerFile }) => !files.includes(answerFile))).toEqual([]);
  });

  test.each(questions.filter(({ answerFile }) => /\.mdx?$/.test(answerFile)))(
    'the answer to "$question" stands under its heading, in at most two files',
    ({ answerFile, answerHeading, mustContain }) => {
      const sections = read(answerFile).split(/^(?=#{1,6} )/m);
      const section = sections.find((text) => text.replace(/^#+ /, '').split('\n', 1)[0] === answerHeading);
      expect(flat(section ?? '')).toContain(flat(mustContain));
      expect(prose.filter((file) => flat(read(file)).includes(flat(mustContain))).length).toBeLessThanOrEqual(2);
    },
  );
});
