import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { embeddingWords } from '../../core/search/embed/static-tokens.ts';
import { filesUnder } from './corpus.ts';
import { firstSentence, isEnglish } from './pairs.ts';
import { readExtracts } from './read.ts';
import { type Extracted, squeeze } from './section.ts';

interface Judged {
  readonly title: string;
  readonly text: string;
  readonly query: string;
}

const MOST_QUERIES = 500;
const MOST_DOCS = 6_000;

/** A judged collection made from packages that no model is trained on: each text is the answer to its own question. */
export interface HeldOut {
  readonly name: string;
  readonly packages: readonly string[];
  readonly judge: (extract: Extracted) => Judged | null;
}

export const HELD_OUT: readonly HeldOut[] = [
  {
    name: 'product-docs',
    packages: ['icinga2-doc', 'lemonldap-ng-doc', 'python-djangorestframework-doc', 'bacula-doc', 'pacemaker-doc'],
    judge: byHeading,
  },
  {
    name: 'python-code',
    packages: ['python3-libcloud', 'python3-nibabel', 'python3-pyqtgraph', 'python3-scrapy'],
    judge: byDocstring,
  },
  { name: 'questions', packages: ['perl-doc', 'debian-faq'], judge: byQuestion },
];

/** Writes `docs.jsonl`, `queries.jsonl` and `qrels.jsonl` of a held-out collection. */
export function writeHeldOut(folder: string, { packages, judge }: HeldOut, unpacked: string): void {
  const seen = new Set<string>();
  const judged = packages
    .flatMap((name) => [...filesUnder(join(unpacked, name))])
    .flatMap((path) => readExtracts(path))
    .flatMap((extract) => judge(extract) ?? [])
    .filter(({ query, text }) => [query, text.slice(0, 200)].every((key) => !seen.has(key) && seen.add(key)));
  const docs = everyNth(judged, MOST_DOCS);
  const asked = everyNth(
    [...docs.entries()].filter(([, { query }]) => query !== ''),
    MOST_QUERIES,
  );
  mkdirSync(folder, { recursive: true });
  const write = (name: string, rows: readonly object[]) =>
    writeFileSync(join(folder, name), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  write(
    'docs.jsonl',
    docs.map(({ title, text }, id) => ({ id: String(id), title, text })),
  );
  write(
    'queries.jsonl',
    asked.map(([id, { query }]) => ({ id: `q${id}`, text: query })),
  );
  write(
    'qrels.jsonl',
    asked.map(([id]) => ({ query: `q${id}`, doc: String(id), rel: 1 })),
  );
}

/** The heading asks for the section under it; the document keeps the page's title alone. */
function byHeading(extract: Extracted): Judged | null {
  if (extract.kind !== 'section' || !isEnglish(extract.text) || embeddingWords(extract.text).length < 25) return null;
  const heading = squeeze(extract.heading.replace(/^[\s\d.]+|[¶#:]+\s*$/g, ''));
  const words = embeddingWords(heading).length;
  return { title: extract.title, text: extract.text, query: words >= 3 && words <= 12 ? heading : '' };
}

/** The first sentence of a docstring asks for its code, from which the docstring is taken out. */
function byDocstring(extract: Extracted): Judged | null {
  if (extract.kind !== 'code' || embeddingWords(extract.code).length < 15) return null;
  const first = firstSentence(extract.comment);
  const words = embeddingWords(first).length;
  return { title: extract.name, text: extract.code, query: words >= 4 && words <= 20 ? first : '' };
}

/** A question that is a heading asks for the answer under it. */
function byQuestion(extract: Extracted): Judged | null {
  if (extract.kind !== 'section' || !isEnglish(extract.text) || embeddingWords(extract.text).length < 20) return null;
  const question = squeeze(extract.heading.replace(/^[\s\d.]+|¶/g, ''));
  const asks = /\?\s*$/.test(question) || /^(?:how|why|what|where|when|which|can|is|are|does|do)\b.*\s/i.test(question);
  return { title: '', text: extract.text, query: asks && embeddingWords(question).length >= 4 ? question : '' };
}

function everyNth<T>(items: readonly T[], most: number): T[] {
  const share = Math.min(1, most / items.length);
  return items.filter((_, i) => Math.floor((i + 1) * share) > Math.floor(i * share));
}
