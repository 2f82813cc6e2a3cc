import { embeddingWords } from '../../core/search/embed/static-tokens.ts';
import type { Extracted } from './section.ts';
import { squeeze } from './section.ts';

/** A question and a text that answers it. Pairs of one group come from one place and are no negatives of one another. */
export interface Pair {
  readonly query: string;
  readonly text: string;
}

const LONGEST_TEXT = 1_600;
const SHORTEST_TEXT = 8;
const HEADING_WORDS = { least: 1, most: 20 };
const SENTENCE_WORDS = { least: 5, most: 30 };
/** A heading seen more often than this (Parameters, See also) says nothing without its page's title. */
const GENERIC_AFTER = 12;
const ENGLISH = /\b(?:the|a|an|is|are|of|to|in|and|for|this|that|if|be|by|with|or|as|it|from|returns?|not|on)\b/gi;

/** Makes pairs from extracts. Deterministic: what varies is drawn from a hash of the text. */
export function pairMaker(): (extract: Extracted) => Pair[] {
  const timesSeen = new Map<string, number>();
  return (extract) => {
    const pairs = extract.kind === 'code' ? codePairs(extract) : sectionPairs(extract, timesSeen);
    return pairs
      .map(({ query, text }) => ({ query: squeeze(query), text: squeeze(text).slice(0, LONGEST_TEXT) }))
      .filter(({ query, text }) => embeddingWords(query).length >= 1 && embeddingWords(text).length >= SHORTEST_TEXT);
  };
}

function sectionPairs(section: Extracted & { kind: 'section' }, timesSeen: Map<string, number>): Pair[] {
  const { text } = section;
  if (!isEnglish(text)) return [];
  const heading = section.heading.replace(/^[\s\d.§]+(?=\S)|[¶#:]+\s*$/g, '').trim();
  const title = section.title.split(/\s[—–|·]\s|\s-\s/)[0]!.trim();
  const seen = (timesSeen.get(heading) ?? 0) + 1;
  timesSeen.set(heading, seen);
  const draw = drawer(heading + text.slice(0, 200));
  const pairs: Pair[] = [];
  const own = heading !== '' && seen <= GENERIC_AFTER ? heading : '';
  const named = [title, heading === title ? '' : heading].filter(Boolean).join(' ');
  const query = own !== '' && draw(3) > 0 ? own : named;
  if (fits(query, HEADING_WORDS) && (own !== '' || title !== '')) {
    pairs.push({ query: asAsked(query, draw), text: draw(2) === 0 && own !== '' ? `${title} ${text}` : text });
  }
  pairs.push(...sentencePairs(text, draw(2) === 0 ? named : '', draw));
  return pairs;
}

/** A sentence against the rest of its text: what a paraphrase in other words is to its passage. */
function sentencePairs(text: string, prefix: string, draw: (below: number) => number): Pair[] {
  const sentences = text.slice(0, LONGEST_TEXT).match(/[^.!?]+(?:[.!?]+(?=\s)|$)|[.!?]+/g) ?? [];
  const usable = sentences.filter((sentence) => fits(sentence, SENTENCE_WORDS) && isEnglish(sentence));
  if (sentences.length < 3 || usable.length === 0) return [];
  const chosen = usable[draw(usable.length)]!;
  return [{ query: chosen, text: `${prefix} ${text.replace(chosen, ' ')}` }];
}

function codePairs({ name, comment, code, language }: Extracted & { kind: 'code' }): Pair[] {
  const said = squeeze(
    comment.replace(/[@\\:](?:param|returns?|throws|raises|type|rtype|see|since|deprecated)\b/g, ' '),
  );
  const first = firstSentence(comment);
  const draw = drawer(name + said.slice(0, 200) + code.slice(0, 200));
  if (!isEnglish(said) || !fits(first, { least: 3, most: 40 })) return [];
  const pairs: Pair[] = [];
  const asked = draw(3) > 0 ? first : draw(2) === 0 ? `${language} ${first}` : `${first} in ${language}`;
  if (embeddingWords(code).length >= SHORTEST_TEXT) {
    pairs.push({ query: asAsked(asked, draw), text: draw(2) === 0 ? `${name} ${code}` : code });
  }
  const rest = squeeze(comment).slice(squeeze(first).length);
  if (embeddingWords(rest).length > 12) pairs.push({ query: first, text: `${name} ${rest} ${code}` });
  else if (name.length > 3) pairs.push({ query: name, text: `${said} ${draw(2) === 0 ? code : ''}` });
  return pairs;
}

/** The words as they stand, or in one of the ways people ask. */
function asAsked(query: string, draw: (below: number) => number): string {
  if (query.includes('?')) return query;
  const gerund = /^([a-z]{2,}?)(?:([bdgmnprt])\2)?ing\s+(.*)$/i.exec(query);
  const verb = gerund ? `${gerund[1]}${gerund[2] ?? ''} ${gerund[3]}` : query;
  switch (draw(12)) {
    case 0:
      return `how to ${verb}`;
    case 1:
      return `How do I ${verb}?`;
    case 2:
      return `what is ${query}`;
    case 3:
      return `How can you ${verb}?`;
    case 4:
      return `What does ${query} do and when is it used?`;
    default:
      return query;
  }
}

export function firstSentence(comment: string): string {
  const start = comment.trim().split(/\n\s*\n|\n\s*[@:\\]|\n\s*(?:Parameters|Args|Arguments|Returns)\b/, 1)[0]!;
  return squeeze(/^[\s\S]*?[.!?](?=\s|$)/.exec(start)?.[0] ?? start);
}

function fits(text: string, { least, most }: { least: number; most: number }): boolean {
  const count = embeddingWords(text).length;
  return count >= least && count <= most;
}

/** Prose has at least one small English word in ten; tables, translations and listings have not. */
export function isEnglish(text: string): boolean {
  const start = text.slice(0, 1_000);
  return (start.match(ENGLISH)?.length ?? 0) * 14 >= start.split(/\s+/).length;
}

/** Numbers drawn from a text's hash: the same text draws the same numbers in every run. */
function drawer(text: string): (below: number) => number {
  let state = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) state = Math.imul(state ^ text.charCodeAt(i), 0x01000193);
  return (below) => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d);
    state = Math.imul(state ^ (state >>> 12), 0x297a2d39);
    state ^= state >>> 15;
    return (state >>> 0) % below;
  };
}
