import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Colleague, colleague, filesOf, git, temporary } from './team.ts';

/** A repository with what `before` wrote, changed on two branches, and merged. Returns the merged wiki, seen from a fresh clone. */
async function merged(
  before: (wiki: Colleague) => Promise<unknown>,
  here: (wiki: Colleague) => Promise<unknown>,
  there: (wiki: Colleague) => Promise<unknown>,
): Promise<Colleague> {
  const folder = temporary();
  git(folder, 'init', '-q');
  git(folder, 'commit', '-q', '--allow-empty', '-m', 'start');
  const on = async (branch: string, at: string, work: (wiki: Colleague) => Promise<unknown>) => {
    git(folder, 'checkout', '-q', branch);
    const wiki = colleague({ folder });
    wiki.setClock(at);
    await work(wiki);
    git(folder, 'add', '-A');
    git(folder, 'commit', '-q', '--allow-empty', '-m', branch);
  };
  await on('main', '2026-03-01T10:00:00Z', before);
  git(folder, 'branch', 'other');
  await on('main', '2026-03-02T10:00:00Z', here);
  await on('other', '2026-03-03T10:00:00Z', there);
  git(folder, 'checkout', '-q', 'main');
  git(folder, 'merge', '-q', '--no-edit', 'other');
  expect(git(folder, 'status', '--porcelain')).toBe('');
  const clone = temporary();
  git(clone, 'clone', '-q', folder, '.');
  return colleague({ folder: clone });
}

test('branches that add different learnings merge, and both are there', async () => {
  const wiki = await merged(
    (base) => base.write('Amounts are in cents.'),
    (here) => here.write('Revenue is recognised on shipment.'),
    (there) => there.write('The table is loaded at 02:00 UTC.'),
  );
  expect((await wiki.texts()).sort()).toEqual([
    'Amounts are in cents.',
    'Revenue is recognised on shipment.',
    'The table is loaded at 02:00 UTC.',
  ]);
  expect((await wiki.entries()).problems).toEqual([]);
});

test('branches that edit different learnings merge', async () => {
  let first = '';
  let second = '';
  const wiki = await merged(
    async (base) => {
      first = (await base.write('Amounts are in cents.')).statement_id;
      second = (await base.write('Loaded at 02:00.')).statement_id;
    },
    (here) => here.edit(first, { content: 'Amounts are in euro cents.' }),
    (there) => there.edit(second, { content: 'Loaded at 03:00 UTC.' }),
  );
  expect((await wiki.texts()).sort()).toEqual(['Amounts are in euro cents.', 'Loaded at 03:00 UTC.']);
});

test('branches that edit one learning merge: each field as last set, the other text still told, the history whole', async () => {
  let id = '';
  const wiki = await merged(
    async (base) => {
      id = (await base.write('Loaded at 02:00.')).statement_id;
    },
    (here) => here.edit(id, { content: 'Loaded at 03:00 UTC.', category: 'exploratory' }),
    (there) => there.edit(id, { content: 'Loaded at 02:30 UTC.' }),
  );
  const { learnings } = await wiki.read();
  expect(learnings).toHaveLength(1);
  expect(learnings[0]).toMatchObject({
    text: 'Loaded at 02:30 UTC.',
    category: 'exploratory',
    written_at_the_same_time: ['Loaded at 03:00 UTC.'],
  });
  const { events } = await wiki.wiki.history({ statement_id: id });
  expect(events.map(({ event }) => event)).toEqual(['created', 'edited', 'edited']);
  await wiki.edit(id, { content: 'Loaded at 02:30 UTC, on Mondays at 03:00.' });
  expect((await wiki.read()).learnings[0]).not.toHaveProperty('written_at_the_same_time');
});

test('an approval on one branch does not let through an edit on the other that nobody saw', async () => {
  let id = '';
  const wiki = await merged(
    async (base) => {
      await base.wiki.configure(review(base));
      id = (await base.write('Loaded at 02:00.')).statement_id;
    },
    (here) => here.approve(id),
    async (there) => {
      await there.wiki.configure(review(there));
      await there.edit(id, { content: 'Loaded never.' });
    },
  );
  expect(await wiki.texts()).toEqual(['Loaded at 02:00.']);
  expect((await wiki.entries()).items[0]).toMatchObject({ status: 'active', proposed: { text: 'Loaded never.' } });
});

test('approved here and rejected there waits for a person again', async () => {
  let id = '';
  const wiki = await merged(
    async (base) => {
      await base.wiki.configure(review(base));
      id = (await base.write('Loaded at 02:00.')).statement_id;
    },
    (here) => here.approve(id),
    (there) => there.reject(id),
  );
  expect((await wiki.entries()).items[0]!.status).toBe('pending');
  await wiki.approve(id);
  expect(await wiki.texts()).toEqual(['Loaded at 02:00.']);
});

test('removed here and edited there comes back for a person to decide; removed and left alone stays removed', async () => {
  let id = '';
  const write = async (base: Colleague) => {
    id = (await base.write('Loaded at 02:00.')).statement_id;
  };
  const edited = await merged(
    write,
    (here) => here.remove(id),
    (there) => there.edit(id, { content: 'Loaded at 02:30.' }),
  );
  expect((await edited.entries()).items[0]).toMatchObject({ status: 'pending', removed_elsewhere: true });
  await edited.approve(id);
  expect(await edited.texts()).toEqual(['Loaded at 02:30.']);

  const alone = await merged(
    write,
    (here) => here.remove(id),
    (there) => there.write('Amounts are in cents.'),
  );
  expect((await alone.entries()).items.map(({ text }) => text)).toEqual(['Amounts are in cents.']);
  expect(Object.values(alone.files()).join('')).not.toContain('02:00');
});

test('both branches replace one learning: both replacements stand, the old one does not', async () => {
  let id = '';
  const wiki = await merged(
    async (base) => {
      id = (await base.write('Loaded at 02:00.')).statement_id;
    },
    (here) => here.write('Loaded at 03:00.', { supersedes_key: id }),
    (there) => there.write('Loaded hourly.', { supersedes_key: id }),
  );
  expect((await wiki.texts()).sort()).toEqual(['Loaded at 03:00.', 'Loaded hourly.']);
});

test('the stricter privacy class survives a merge', async () => {
  let id = '';
  const shared = (one: Colleague) => one.wiki.configure({ ...review(one), review: false, shareValues: true });
  const wiki = await merged(
    async (base) => {
      id = (await base.write('The top customer buys most.')).statement_id;
    },
    async (here) => {
      await shared(here);
      await here.edit(id, { content: 'Acme buys most: 4,200 crates.', privacy_class: 'contains_values' });
    },
    (there) => there.edit(id, { privacy_class: 'metadata', content: 'The top customer buys half of all crates.' }),
  );
  expect((await wiki.read()).learnings[0]!.privacy_class).toBe('contains_values');
});

test('windows line ends and a byte order mark make no difference', async () => {
  const wiki = colleague();
  await wiki.write('First line.\nSecond line.');
  const [[name, content]] = Object.entries(filesOf(join(wiki.folder, '.loci', 'wiki'))) as [[string, string]];
  wiki.put(name, `\uFEFF${content.replaceAll('\n', '\r\n')}`);
  expect(await wiki.texts()).toEqual(['First line.\nSecond line.']);
});

function review(wiki: Colleague) {
  return {
    folders: [{ name: 'ws', path: wiki.folder }],
    storage: wiki.storage,
    writeEnabled: true,
    review: true,
    shareValues: false,
  };
}
