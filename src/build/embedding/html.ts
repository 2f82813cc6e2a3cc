import type { Section } from './section.ts';
import { squeeze } from './section.ts';

const TAG = /<(\/?)([a-zA-Z][a-zA-Z0-9]*)[^>]*>|<!--[\s\S]*?-->/g;
const UNREAD = /<(script|style|head|nav|footer|svg|math)\b[\s\S]*?<\/\1\s*>/gi;
const TITLE = /<title[^>]*>([^<]*)<\/title>/i;
const HEADING = /^(?:h[1-6]|dt)$/;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/**
 * Sections of an HTML page. A definition's term (`dt`) heads a section as `h1` to `h6` do: that is where manuals of
 * functions and options keep their names. Tags are scanned, not parsed: a gigabyte of pages is read at each build.
 */
export function htmlSections(html: string): Section[] {
  const title = squeeze(decodeEntities(TITLE.exec(html)?.[1] ?? ''));
  const body = html.replace(UNREAD, ' ');
  const sections: Section[] = [];
  let heading = '';
  let text = '';
  let inHeading = '';
  let at = 0;
  const close = () => {
    const found = { title, heading: squeeze(decodeEntities(heading)), text: squeeze(decodeEntities(text)) };
    if (found.text !== '') sections.push(found);
    text = '';
  };
  const take = (piece: string) => {
    if (inHeading !== '') heading += piece;
    else text += piece;
  };
  for (const match of body.matchAll(TAG)) {
    take(body.slice(at, match.index));
    at = match.index + match[0].length;
    const name = match[2]?.toLowerCase() ?? '';
    if (!HEADING.test(name)) {
      // Inline tags within a word, as in syntax highlighting, are no word border.
      if (!/^(?:span|a|b|i|em|strong|code|tt|var|wbr|font)$/.test(name)) take(' ');
    } else if (match[1] === '') {
      if (inHeading === '' && text.trim() !== '') close();
      if (inHeading === '') heading = '';
      inHeading = name;
    } else if (name === inHeading) {
      inHeading = '';
    }
  }
  take(body.slice(at));
  close();
  return sections;
}

function decodeEntities(text: string): string {
  return text.replace(/&(?:#(x?)([0-9a-fA-F]{1,6})|([a-z]{2,6}));/g, (whole, hex, digits, name) => {
    if (name !== undefined) return ENTITIES[name] ?? ' ';
    const point = Number.parseInt(digits, hex === 'x' ? 16 : 10);
    return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
  });
}
