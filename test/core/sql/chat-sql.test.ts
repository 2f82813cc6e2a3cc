import { expect, test } from 'vitest';
import { chatSql, type PastChat } from '../../../src/core/sql/history/chat-sql.ts';

test('SQL of past chats: tool arguments and fenced blocks, read again only when a chat has changed', async () => {
  let reads = 0;
  let stamp = '1';
  async function* chats(): AsyncIterable<PastChat> {
    yield {
      thread_id: 't',
      source: 'a',
      stamp,
      updated: 0,
      async messages() {
        reads++;
        return [
          {
            text: 'Try\n```sql\nselect 1\n```\nand ~~~\n```python\nselect 2\n```\n~~~postgresql\nselect 3\n~~~\n',
            time: 1000,
            agent: 'a',
          },
          {
            text: '',
            calls: [{ name: 'x_query', arguments: '{"query": "-- all\\nselect 4", "connection_id": "snowflake.p"}' }],
          },
          {
            text: '',
            calls: [
              { name: 'search', arguments: '{"query": "selected works"}' },
              { name: 'broken', arguments: '{' },
            ],
          },
        ];
      },
    };
  }
  const find = chatSql(chats, () => {});
  const all = async () => {
    const found = [];
    for await (const query of find()) found.push(query);
    return found;
  };
  expect(await all()).toEqual([
    { thread_id: 't', agent: 'a', time: '1970-01-01T00:00:01.000Z', kind: 'fence', sql: 'select 1' },
    { thread_id: 't', agent: 'a', time: '1970-01-01T00:00:01.000Z', kind: 'fence', sql: 'select 3' },
    {
      thread_id: 't',
      time: '1970-01-01T00:00:00.000Z',
      kind: 'tool',
      sql: '-- all\nselect 4',
      connection: 'snowflake.p',
    },
  ]);
  await all();
  expect(reads).toBe(1);
  stamp = '2';
  await all();
  expect(reads).toBe(2);
});
