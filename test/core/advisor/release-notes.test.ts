import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { releaseNotes } from '../../../src/core/advisor/release-notes.ts';

const made: string[] = [];
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

function build(version: string, files: Record<string, string>) {
  const root = mkdtempSync(join(tmpdir(), 'loci-build-'));
  made.push(root);
  const notes = join(root, 'media', 'release-notes');
  mkdirSync(notes, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);
  return { version, notes, root };
}

const CHANGELOG =
  '# Changelog\n\n## [1.2.0] - 2026-03-01\n\n- Wiki.\n\n### Fixed\n\n- Paging.\n\n## 1.1.0\n\n- Older.\n';

test('detailed notes of this very version come first', async () => {
  const shipped = build('1.2.0', {
    'media/release-notes/v1.2.0.md': '# 1.2.0\n\nAll of it.\n',
    'CHANGELOG.md': CHANGELOG,
  });
  expect(await releaseNotes(shipped, '1.1.0', 1)).toEqual({
    runtime_version: '1.2.0',
    requested_version: '1.1.0',
    matched_version_label: 'v1.2.0',
    source_kind: 'detailed',
    release_notes_markdown: '# 1.2.0\n\nAll of it.',
    start_line: 1,
    total_lines: 3,
    returned_lines: 3,
    next_start_line: null,
  });
});

test.each(['CHANGELOG.md', 'changelog.md'])("else the entry of %s, whole and only this version's", async (name) => {
  const notes = await releaseNotes(build('1.2.0+build7', { [name]: CHANGELOG }), null, 1);
  expect(notes).toMatchObject({ source_kind: 'concise', matched_version_label: 'v1.2.0', requested_version: null });
  expect(notes.release_notes_markdown).toBe('## [1.2.0] - 2026-03-01\n\n- Wiki.\n\n### Fixed\n\n- Paging.');
});

test('another release never stands in', async () => {
  const shipped = build('1.3.0', { 'media/release-notes/v1.2.0.md': 'old', 'CHANGELOG.md': CHANGELOG });
  expect(await releaseNotes(shipped, null, 1)).toMatchObject({
    source_kind: 'none',
    matched_version_label: null,
    release_notes_markdown: '',
    total_lines: 0,
    next_start_line: null,
  });
});

test('pages of whole lines give the notes back', async () => {
  const text = Array.from({ length: 900 }, (_, i) => `Line ${i} of "these" notes.`).join('\n');
  const shipped = build('2.0.0', { 'media/release-notes/v2.0.0.md': text });
  const pages: string[] = [];
  for (let start: number | null = 1; start !== null; ) {
    const page: Awaited<ReturnType<typeof releaseNotes>> = await releaseNotes(shipped, null, start);
    expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(8000);
    pages.push(page.release_notes_markdown);
    start = page.next_start_line;
  }
  expect(pages.length).toBeGreaterThan(2);
  expect(pages.join('\n')).toBe(text);
});

test('a line that fits no page, and a line that is not there, are errors', async () => {
  const shipped = build('2.0.0', { 'media/release-notes/v2.0.0.md': `short\n${'x'.repeat(9000)}\n` });
  expect(await releaseNotes(shipped, null, 1)).toMatchObject({ returned_lines: 1, next_start_line: 2 });
  await expect(releaseNotes(shipped, null, 2)).rejects.toMatchObject({ code: 'line_too_long' });
  await expect(releaseNotes(shipped, null, 3)).rejects.toMatchObject({ code: 'bad_start_line' });
});
