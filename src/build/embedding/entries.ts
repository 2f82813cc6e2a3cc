import type { Section } from './section.ts';
import { squeeze } from './section.ts';

/** Entries of a dictd dictionary: a head word at the margin, its definition indented or under it. */
export function dictionaryEntries(text: string): Section[] {
  const entries: Section[] = [];
  let heading = '';
  let lines: string[] = [];
  const close = () => {
    const definition = squeeze(lines.join(' '));
    if (heading !== '' && definition !== '') entries.push({ title: '', heading, text: definition });
    lines = [];
  };
  for (const line of text.split('\n')) {
    if (/^[A-Za-z0-9]/.test(line)) {
      close();
      heading = squeeze(line.replace(/\\[^\\]*\\.*$/, ''));
    } else {
      lines.push(line);
    }
  }
  close();
  return entries;
}

/** Meanings of a WordNet data file (`data.noun` and the like): the words that share one, and its gloss. */
export function wordnetEntries(data: string): Section[] {
  return data.split('\n').flatMap((line) => {
    if (line.startsWith(' ')) return [];
    const [fields = '', gloss = ''] = line.split(' | ');
    const parts = fields.split(' ');
    const count = Number.parseInt(parts[3] ?? '0', 16);
    const words = Array.from({ length: count }, (_, i) => (parts[4 + 2 * i] ?? '').replaceAll('_', ' '));
    return gloss === '' ? [] : [{ title: '', heading: words.join(', '), text: squeeze(gloss) }];
  });
}

interface ServiceModel {
  readonly metadata?: { readonly serviceFullName?: string };
  readonly operations?: Readonly<Record<string, { readonly documentation?: string }>>;
  readonly shapes?: Readonly<
    Record<string, { readonly members?: Readonly<Record<string, { readonly documentation?: string }>> }>
  >;
}

/** Operations and members of an AWS service model (`service-2.json`), with what their documentation says. */
export function serviceSections(json: string): Section[] {
  const model = JSON.parse(json) as ServiceModel;
  const title = model.metadata?.serviceFullName ?? '';
  const described = [
    ...Object.entries(model.operations ?? {}),
    ...Object.values(model.shapes ?? {}).flatMap(({ members }) => Object.entries(members ?? {})),
  ];
  return described.flatMap(([heading, { documentation }]) => {
    const text = squeeze((documentation ?? '').replace(/<[^>]*>/g, ' '));
    return text === '' ? [] : [{ title, heading, text }];
  });
}
