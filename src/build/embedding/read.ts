import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { blockCommented, lineCommented, pythonDocumented } from './code.ts';
import { dictionaryEntries, serviceSections, wordnetEntries } from './entries.ts';
import { htmlSections } from './html.ts';
import { infoSections, markdownSections, podSections, roffSections, underlinedSections } from './plain.ts';
import type { Documented, Extracted, Section } from './section.ts';

const LARGEST_FILE = 12_000_000;
const LARGEST_SOURCE = 2_000_000;

const SECTIONS: readonly (readonly [RegExp, (text: string) => Section[]])[] = [
  [/\.(?:html?|page|xhtml)$/, htmlSections],
  [/\.(?:md|markdown|mdx)$/i, markdownSections],
  [/\.(?:rst|rst\.txt)$/, underlinedSections],
  [/\/man\/man\d\/[^/]+\.\d\w*$/, roffSections],
  [/\.pod$/, podSections],
  [/\.info(?:-\d+)?$/, infoSections],
  [/\/wordnet\/data\.\w+$/, wordnetEntries],
  [/\.dict\.dz$/, dictionaryEntries],
  [/\/service-2\.json$/, serviceSections],
  [/\/doc\/[^/]+\.txt$/, underlinedSections],
];

const CODE: readonly (readonly [RegExp, string, (text: string) => Documented[]])[] = [
  [/\.pyi?$/, 'python', pythonDocumented],
  [/(?<!\.min)\.m?jsx?$/, 'javascript', blockCommented],
  [/\.(?:d\.)?[mc]?tsx?$/, 'typescript', blockCommented],
  [/\.java$/, 'java', blockCommented],
  [/\.(?:hpp|hh?|cc|cpp)$/, 'c++', blockCommented],
  [/\.go$/, 'go', lineCommented],
  [/\.rs$/, 'rust', lineCommented],
];

/** Sections or documented code of one file; nothing where the file is of no kind that is read. */
export function readExtracts(path: string): Extracted[] {
  const plain = path.replace(/\.gz$/, '');
  const sections = SECTIONS.find(([pattern]) => pattern.test(plain));
  const code = CODE.find(([pattern]) => pattern.test(plain));
  if (sections === undefined && code === undefined) return [];
  const bytes = readFileSync(path);
  const text = (/\.(?:gz|dz)$/.test(path) ? gunzipSync(bytes) : bytes).toString('utf8');
  if (!path.endsWith('.dz') && text.length > (sections === undefined ? LARGEST_SOURCE : LARGEST_FILE)) return [];
  if (sections !== undefined) return sections[1](text).map((section) => ({ kind: 'section', ...section }));
  const [, language, read] = code!;
  return read(text).map((documented) => ({ kind: 'code', language, ...documented }));
}
