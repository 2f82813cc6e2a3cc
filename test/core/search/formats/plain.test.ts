import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isDocument, readerFor } from '../../../../src/core/search/formats/readers.ts';
import { headings, images, outline, read } from './read.ts';

describe('readRst', () => {
  it('ranks headings by the order in which their marks appear', async () => {
    const text = '====\nBook\n====\n\nPart\n====\n\nChapter\n-------\n\nOther part\n==========\n\nplain text\n';
    expect(headings(await read('a.rst', text))).toEqual([
      [1, 'Book'],
      [2, 'Part'],
      [3, 'Chapter'],
      [2, 'Other part'],
    ]);
  });

  it('finds literal blocks, directives, lists and tables', async () => {
    const text = [
      'Intro::',
      '',
      '   literal',
      '',
      '   more',
      '',
      '.. code-block:: python',
      '',
      '   def f(): ...',
      '',
      '- a',
      '',
      '  more a',
      '- b',
      '',
      '=====  =====',
      'A      B',
      '=====  =====',
      '1      2',
      '',
      '3      4',
      '=====  =====',
      '',
      '+---+',
      '| x |',
      '+---+',
      '',
      '.. figure:: img/a.png',
      '   :width: 50%',
      '',
      '   The caption',
      '',
      '.. image:: b.png',
      '   :alt: A b',
      '',
      '.. note:: careful',
    ].join('\n');
    const source = await read('a.rst', text);
    expect(source.blocks.map((block) => block.kind)).toEqual([
      'text',
      'code',
      'code',
      'list-item',
      'list-item',
      'table',
      'table',
      'image',
      'image',
      'text',
    ]);
    expect(images(source)).toEqual(['The caption <img/a.png>', 'A b <b.png>']);
  });

  it('reads roles in headings as their text', async () => {
    expect(headings(await read('a.rst', 'The :ref:`index <genindex>` of ``code``\n=======================\n'))).toEqual(
      [[1, 'The index of code']],
    );
  });
});

describe('readAsciidoc', () => {
  it('finds sections, delimited blocks, lists and tables', async () => {
    const text = [
      '= Title',
      ':imagesdir: img',
      '',
      '== Section *one*',
      '',
      '[source,sql]',
      '.Listing',
      '----',
      'select 1;',
      '',
      '== no heading',
      '----',
      '',
      '* item',
      '** nested',
      '+',
      '----',
      'code',
      '',
      'of item',
      '----',
      '* second',
      '',
      '|===',
      '|a |b',
      '',
      '|1 |2',
      '|===',
      '',
      'image::a.png[A pic]',
      '',
      'See image:b.png["B, c"] here.',
      '',
      '=== Deep',
      'end',
    ].join('\n');
    const source = await read('a.adoc', text);
    expect(headings(source)).toEqual([
      [1, 'Title'],
      [2, 'Section one'],
      [3, 'Deep'],
    ]);
    expect(outline(source)).toEqual([
      'heading: = Title',
      'text: :imagesdir: img',
      'heading: == Section *one*',
      'code: [source,sql]\n.Listing\n----\nselect 1;\n\n== no heading\n----',
      'list-item: * item\n** nested\n+\n----\ncode\n\nof item\n----',
      'list-item: * second',
      'table: |===\n|a |b\n\n|1 |2\n|===',
      'image: image::a.png[A pic]',
      'text: See image:b.png["B, c"] here.',
      'heading: === Deep',
      'text: end',
    ]);
    expect(images(source)).toEqual(['A pic <img/a.png>', 'B, c <img/b.png>']);
  });
});

describe('readText and readCode', () => {
  it('parts plain text at blank lines', async () => {
    const source = await read('notes.txt', 'Release notes\n\nFirst\nparagraph.\n\n\nSecond.');
    expect(source.title).toBe('Release notes');
    expect(outline(source)).toEqual(['text: Release notes', 'text: First\nparagraph.', 'text: Second.']);
  });

  it('parts code at blank lines between top-level statements', async () => {
    const source = await read('a.py', 'import os\n\ndef f():\n    a = 1\n\n    return a\n\ndef g(): ...\n');
    expect(outline(source)).toEqual([
      'code: import os',
      'code: def f():\n    a = 1\n\n    return a',
      'code: def g(): ...',
    ]);
  });
});

describe('every line-based reader', () => {
  it('tiles any text with its blocks', async () => {
    const line = fc.constantFrom(
      '',
      '',
      'text',
      'Title',
      '=====',
      '-----',
      '== ==',
      '+--+',
      '|x|',
      '.. image:: a',
      '   in',
      '- a',
      '* b',
      '** c',
      '+',
      '----',
      '|===',
      '[source]',
      '.Name',
      '= T',
      '== S',
      'image::a[b]',
      '1. x',
      '::',
      'x::',
      '....',
      '//// ',
      '\t',
      '}',
    );
    const texts = fc.array(line, { maxLength: 40 }).map((lines) => lines.join('\n'));
    await fc.assert(
      fc.asyncProperty(texts, fc.constantFrom('a.rst', 'a.adoc', 'a.txt', 'a.sql'), async (text, path) => {
        const { blocks } = await read(path, text);
        expect(blocks.map(({ start, end }) => text.slice(start, end)).join('')).toBe(text);
      }),
    );
  });
});

describe('readerFor', () => {
  it('reads what may be text, and documents of itself', () => {
    expect(
      [
        'a.md',
        'docs/B.MDX',
        'c.rst',
        'd.adoc',
        'e.txt',
        'f.html',
        'g.ipynb',
        'h.pdf',
        'i.docx',
        'README',
        'x\\LICENSE',
      ].every(isDocument),
    ).toBe(true);
    expect(['a.ts', 'b.sql', 'c.png', 'Makefile', '.gitignore', 'constructor', 'a.constructor'].some(isDocument)).toBe(
      false,
    );
    expect(readerFor('query.sql')).toBeDefined();
    expect(readerFor('picture.PNG')).toBeUndefined();
  });

  it('stops when asked to', async () => {
    const signal = AbortSignal.abort();
    for (const path of ['a.md', 'a.txt', 'a.rst', 'a.adoc', 'a.html', 'a.ipynb', 'a.pdf', 'a.docx', 'a.ts']) {
      await expect(readerFor(path)?.({ path, bytes: new Uint8Array() }, signal)).rejects.toMatchObject({
        name: 'AbortError',
      });
    }
  });
});
