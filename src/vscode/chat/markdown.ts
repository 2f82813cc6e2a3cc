/** Text of others inside Markdown, in one line and without markup of its own. */
export function plain(text: string): string {
  return text.replace(/[\\`*_{}[\]<>|#!$]/g, '\\$&').replace(/\s+/g, ' ');
}

/** Text as it stands, in a fence that nothing in it can close. */
export function verbatim(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(Math.max(3, longest + 1));
  return `${fence}text\n${text}\n${fence}`;
}

/** How full something is, as a bar of so many characters. */
export function bar(percent: number, length: number): string {
  const full = Math.max(0, Math.min(length, Math.round((percent * length) / 100)));
  return '█'.repeat(full) + '░'.repeat(length - full);
}
