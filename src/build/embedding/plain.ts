import type { Section } from './section.ts';
import { squeeze } from './section.ts';

/** Sections of a Markdown page; fenced code stays in its section's text. */
export function markdownSections(markdown: string): Section[] {
  const page = builder();
  let fenced = false;
  for (const line of markdown.split('\n')) {
    if (/^\s{0,3}(?:```|~~~)/.test(line)) fenced = !fenced;
    else if (!fenced && /^#{1,6}\s/.test(line)) page.head(line.replace(/^#+\s+|\s*#*\s*$/g, ''));
    else page.add(fenced ? line : line.replace(/!?\[([^\]]*)\]\([^)]*\)|<[^>]{1,200}>/g, '$1 '));
  }
  return page.end();
}

/** Sections of reStructuredText, and of any plain text whose headings are underlined (`Name` over `====`). */
export function underlinedSections(text: string): Section[] {
  const page = builder();
  const lines = text.split('\n');
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    const under = lines[i + 1] ?? '';
    if (/\S/.test(line) && /^([=\-~^"'`*+#:.])\1{2,}\s*$/.test(under) && under.trim().length >= line.trim().length) {
      page.head(line);
      i++;
    } else if (!/^([=\-~^"'`*+#:.])\1{3,}\s*$/.test(line)) {
      page.add(line.replace(/:[a-z:+-]+:`~?([^`<]*)[^`]*`/g, '$1').replace(/``/g, ' '));
    }
  }
  return page.end();
}

/** Sections of a manual page in roff (`.SH`, `.SS`, and `.TP`'s tags as headings), macros and escapes taken off. */
export function roffSections(roff: string): Section[] {
  const page = builder();
  let tagNext = false;
  for (const line of roff.split('\n')) {
    const macro = /^[.']\s*([A-Za-z]{1,3})\b\s*(.*)$/.exec(line);
    const words = plainRoff(macro ? macro[2]!.replaceAll('"', '') : line);
    if (macro?.[1] === 'TH') page.name(words.split(' ')[0] ?? '');
    else if (macro?.[1] === 'SH' || macro?.[1] === 'SS') page.head(words);
    else if (macro?.[1] === 'TP') tagNext = true;
    else if (/^[.']\\"/.test(line) || (macro && /^(?:so|de|ds|if|ie|el|nr|in|ft|ta|sp|ne|hy|ad)$/.test(macro[1]!)))
      continue;
    else if (tagNext) {
      page.head(words);
      tagNext = false;
    } else page.add(words);
  }
  return page.end();
}

/** Sections of Perl's plain old documentation (`=head1`, `=item`). */
export function podSections(pod: string): Section[] {
  const page = builder();
  let reading = false;
  for (const line of pod.split('\n')) {
    const command = /^=([a-z]+[1-6]?)\s*(.*)$/.exec(line);
    const words = plainPod(command ? command[2]! : line);
    if (command?.[1] === 'cut') reading = false;
    else if (command) {
      reading = true;
      if (/^(?:head[1-6]|item)$/.test(command[1]!)) page.head(words);
    } else if (reading) page.add(words);
  }
  return page.end();
}

/** Sections of a GNU info file: one a node, its underlined title as the heading. */
export function infoSections(info: string): Section[] {
  return info.split('\x1f').flatMap((node) => {
    if (!/^\nFile: /.test(node)) return [];
    return underlinedSections(node.split('\n').slice(2).join('\n')).filter(({ text }) => !text.startsWith('* Menu:'));
  });
}

/** Collects the sections of one page, in order. The first heading is the page's title until `name` says another. */
function builder() {
  const sections: Section[] = [];
  let title = '';
  let heading = '';
  let lines: string[] = [];
  const close = () => {
    const text = squeeze(lines.join('\n'));
    if (text !== '') sections.push({ title, heading, text });
    lines = [];
  };
  return {
    name(words: string) {
      title = squeeze(words);
    },
    head(words: string) {
      close();
      heading = squeeze(words);
      if (title === '') title = heading;
    },
    add(line: string) {
      lines.push(line);
    },
    end() {
      close();
      return sections;
    },
  };
}

function plainRoff(text: string): string {
  return text
    .replace(/\\(?:f.|s[+-]?\d|\((?:co|rg|tm|bu))/g, '')
    .replace(/\\\((?:lq|rq|aq|oq|cq)|\\\*\([a-z]{2}/g, '"')
    .replace(/\\[-|&e'`^/,:%]/g, (escaped) => (escaped === '\\-' ? '-' : ''));
}

function plainPod(text: string): string {
  return text.replace(/[A-Z]<+\s*([^<>|]*)(?:\|[^<>]*)?>+/g, '$1');
}
