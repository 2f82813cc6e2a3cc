import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { phraseForm } from '../../../src/core/search/fold.ts';
import { tokenize } from '../../../src/core/search/tokenize.ts';

describe('tokenize', () => {
  it.each([
    ['getUserName', ['get', 'user', 'name'], ['getusernam']],
    ['get_user_name', ['get', 'user', 'name'], ['getusernam']],
    ['get-user-name', ['get', 'user', 'name'], ['getusernam']],
    ['HTTPServer', ['http', 'server'], ['httpserver']],
    ['fs.readFile', ['fs', 'read', 'file'], ['fsreadfil']],
    ['std::vector', ['std', 'vector'], ['stdvector']],
    ['sha256', ['sha', '256'], ['sha256']],
    ['1.23', ['1', '23'], ['1.23']],
    ['12.3', ['12', '3'], ['12.3']],
    ['APIs', ['api'], []],
    ['__init__', ['init'], []],
    ['d41d8cd98f00b204e9', ['d41d8cd98f00b204e9'], []],
  ])('splits %s and keeps it whole', (text, words, identifiers) => {
    expect(tokenize(text)).toEqual({ words, identifiers });
  });

  it.each([
    ['Naïve CAFÉ', ['naiv', 'cafe']],
    ['Größe', ['gross']],
    ['Привет миру', ['привет', 'миру']],
    ['हिन्दी', ['हिन्दी']],
    ['日本語', ['日', '日本', '本', '本語', '語']],
    ['API仕様', ['api', '仕', '仕様', '様']],
    ['running runs', ['run', 'run']],
    ['constructor __proto__ toString', ['constructor', 'proto', 'to', 'string']],
    ['Don’t stop.Now', ['don', 't', 'stop', 'now']],
    ['', []],
    ['--- ... !!!', []],
  ])('reads %s in its script', (text, words) => {
    expect(tokenize(text).words).toEqual(words);
  });

  it('leaves out runs that are data, whatever their size, in linear time', () => {
    expect(tokenize('a'.repeat(65)).words).toEqual([]);
    expect(tokenize('A'.repeat(2_000_000)).words).toEqual([]);
    expect(tokenize('a.'.repeat(500_000)).words).toHaveLength(500_000);
    expect(tokenize('aB1'.repeat(300_000)).identifiers).toEqual([]);
    expect(tokenize('_'.repeat(1_000_000)).words).toEqual([]);
    expect(tokenize('語'.repeat(100_000)).words).toHaveLength(199_999);
  });

  it('reads plain words as it reads any run', () => {
    const unit = fc.constantFrom(...'aAbBs19.-:>\u0301é語 ');
    fc.assert(
      fc.property(fc.array(fc.string({ unit, minLength: 1, maxLength: 6 })), (words) => {
        // A mark of its own at its end makes a compound of any word, and adds nothing to it.
        const marked = words.map((word) => `${word} `.replace(/([A-Za-z0-9])(?![\p{L}\p{M}\p{N}_.:>-])/gu, '$1_'));
        expect(tokenize(marked.join(''))).toEqual(tokenize(words.map((word) => `${word} `).join('')));
      }),
    );
  });

  it('makes of two texts the words of the one and then of the other, none empty', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (left, right) => {
        const both = tokenize(`${left}\n${right}`);
        expect(both.words).toEqual([...tokenize(left).words, ...tokenize(right).words]);
        expect([...both.words, ...both.identifiers]).not.toContain('');
      }),
    );
  });
});

describe('phraseForm', () => {
  it('makes a phrase findable whatever stands between its words', () => {
    const text = phraseForm('Réduce the\n boundary-layer; 日本語を読む.');
    for (const phrase of ['reduce THE boundary', 'boundary layer', 'layer 日本', '語を']) {
      expect(text).toContain(phraseForm(phrase));
    }
    for (const phrase of ['educe', 'boundary the', 'bound']) expect(text).not.toContain(phraseForm(phrase));
  });
});
