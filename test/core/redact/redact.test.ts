import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { redact } from '../../../src/core/redact/redact.ts';

/** Made up, in the forms that the services document; put together here so that no scanner takes them for real ones. */
const hex = (length: number) => '0123456789abcdef'.repeat(20).slice(0, length);
const word = (length: number) => 'aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0z'.repeat(20).slice(0, length);

const secrets: [string, string][] = [
  ['aws-key', `AKIA${'ABCDEFGH234567AB'}`],
  ['github-token', `ghp_${word(36)}`],
  ['github-token', `github_pat_${word(60)}`],
  ['gitlab-token', `glpat-${word(20)}`],
  ['slack-token', `xoxb-${'1234567890-1234567890'}-${word(24)}`],
  ['api-key', `sk-${word(48)}`],
  ['api-key', `sk-ant-api03-${word(80)}`],
  ['api-key', `sk-proj-${word(60)}`],
  ['google-key', `AIza${word(35)}`],
  ['stripe-key', `sk_live_${word(24)}`],
  ['npm-token', `npm_${word(36)}`],
  ['sendgrid-key', `SG.${word(22)}.${word(43)}`],
  ['twilio-key', `SK${hex(32)}`],
  ['huggingface-token', `hf_${word(34)}`],
  ['databricks-token', `dapi${hex(32)}`],
  ['jwt', `eyJ${word(20)}.eyJ${word(60)}.${word(43)}`],
];

describe('what is a secret by its look', () => {
  test.each(secrets)('%s %s', (name, secret) => {
    expect(redact(`before ${secret} after`)).toEqual({ text: `before [redacted:${name}] after`, count: 1 });
    expect(redact(`{"x":"${secret}"}`).text).toBe(`{"x":"[redacted:${name}]"}`);
  });

  const key = `-----BEGIN RSA PRIVATE KEY-----\n${`${word(64)}\n`.repeat(4)}${word(20)}==\n-----END RSA PRIVATE KEY-----`;
  test('a private key, also cut off, with escaped line breaks, or only begun', () => {
    expect(redact(`a\n${key}\nb`)).toEqual({ text: 'a\n[redacted:private-key]\nb', count: 1 });
    expect(redact(JSON.stringify({ key })).text).toBe('{"key":"[redacted:private-key]"}');
    expect(redact(key.slice(0, 150)).text).toBe('[redacted:private-key]');
    expect(redact('A file that starts with -----BEGIN PRIVATE KEY----- is a key.').text).toBe(
      'A file that starts with [redacted:private-key]is a key.',
    );
  });
});

describe('what is a secret by the name before it', () => {
  test.each([
    ['password: x', 'password: [redacted:password]'],
    ['PASSWORD=hunter2', 'PASSWORD=[redacted:password]'],
    ['DB_PASSWORD="s3cret pass"', 'DB_PASSWORD="[redacted:password]"'],
    ['{"password":"abc"}', '{"password":"[redacted:password]"}'],
    [String.raw`"{\"password\":\"abc\"}"`, String.raw`"{\"password\":\"[redacted:password]\"}"`],
    ['Server=db;User=me;Password=p@ss;Port=1', 'Server=db;User=me;Password=[redacted:password];Port=1'],
    ['postgres://me:pa55@db.host/x', 'postgres://me:[redacted:password]@db.host/x'],
    ['mysql://admin:admin@db', 'mysql://admin:[redacted:password]@db'],
    ['redis://:only@cache:6379', 'redis://:[redacted:password]@cache:6379'],
    ['AccountKey=abcd1234EFGH5678==;', 'AccountKey=[redacted:secret];'],
    [`aws_secret_access_key = ${word(40)}`, 'aws_secret_access_key = [redacted:secret]'],
    ["apiKey: 'abc123def456'", "apiKey: '[redacted:secret]'"],
    ['api_key=abc123def456&x=1', 'api_key=[redacted:secret]&x=1'],
    ['tool --password hunter2 --verbose', 'tool --password [redacted:password] --verbose'],
    ['Authorization: Bearer abcdef1234567890', 'Authorization: Bearer [redacted:credential]'],
    ['https://x/?a=1&sig=abcdefghijklmnopqrstuvwx', 'https://x/?a=1&sig=[redacted:signature]'],
  ])('%s', (text, clean) => {
    expect(redact(text)).toEqual({ text: clean, count: 1 });
  });

  test.each([
    'const password: string = form.password;',
    'password = process.env.PASSWORD',
    'password: $DB_PASSWORD',
    'let token = getToken(request);',
    '{"promptTokens": 1024, "token_count": 5}',
    'maxTokens: 4096, tokens=12',
    'The token is read from the environment.',
    'Bearer authentication is used.',
    'PWD=/home/dev/acme',
    'password: true',
    'secret: patience',
    'password = next',
    'see https://example.com:8080/path@2x.png',
    'author: me@example.com',
    '"tokenizer": "o200k_base"',
  ])('not: %s', (text) => {
    expect(redact(text)).toEqual({ text, count: 0 });
  });
});

describe('redacting', () => {
  const pieces = fc.oneof(
    fc.string({ maxLength: 30 }),
    fc.constantFrom(...secrets.map(([, secret]) => secret)),
    fc.constantFrom('password=abc1', 'token: "', 'secret=', '\n', ' ', '://u:p@h', '-----BEGIN PRIVATE KEY-----'),
  );

  test('again changes nothing, and leaves no secret', () => {
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const once = redact(parts.join(' '));
        expect(redact(once.text)).toEqual({ text: once.text, count: 0 });
        for (const [, secret] of secrets) expect(once.text).not.toContain(secret);
      }),
      { numRuns: 500 },
    );
  });

  test('keeps everything that is around', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'é', '😀', ' ', '\n', '"', '{', '.') });
    fc.assert(
      fc.property(text, text, (before, after) => {
        const { text: clean, count } = redact(`${before} npm_${word(36)} ${after}`);
        expect([clean, count]).toEqual([`${before} [redacted:npm-token] ${after}`, 1]);
      }),
    );
  });

  test.each([
    'a'.repeat(2_000_000),
    'a.'.repeat(1_000_000),
    'password:'.repeat(200_000),
    '-----BEGIN PRIVATE KEY-----'.repeat(60_000),
    `-----BEGIN PRIVATE KEY-----${'A'.repeat(2_000_000)}`,
    'eyJaaaaaaaa.eyJ'.repeat(100_000),
    'http://a:'.repeat(200_000),
    'bearer '.repeat(200_000),
    '"token" '.repeat(200_000),
  ])('takes a hostile text of a megabyte or two without hanging (%#)', { timeout: 20_000 }, (text) => {
    expect(redact(text).count).toBeGreaterThanOrEqual(0);
  });
});
