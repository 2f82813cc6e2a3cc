import type { ChunkedDocument } from '../../search/document.ts';
import type { Asset, Column } from '../model.ts';
import { partsOf } from '../names.ts';

/** Longest text that an asset is found by, in UTF-16 units; columns go before the definition. */
const LONGEST = 12_000;

/** The text that an asset is found by; undefined for one that nothing but its name is known of. */
export function indexText(asset: Asset): string | undefined {
  if (asset.origin === 'external') return undefined;
  if (asset.origin === 'added') return asset.content;
  const { name, node_type, description, columns = [], tags = [], facts = {}, definition } = asset;
  const lines = [
    `${node_type} ${name}`,
    description,
    tags.length > 0 ? `Tags: ${tags.join(', ')}` : undefined,
    Object.entries(facts)
      .map(([key, value]) => `${key}: ${value}`)
      .join(', ') || undefined,
    columns.length > 0 ? `Columns:\n${columns.map(columnLine).join('\n')}` : undefined,
    asset.content,
    definition,
  ];
  return lines.filter(Boolean).join('\n').slice(0, LONGEST).toWellFormed();
}

/** One column in one line: `amount integer, not null, references orders.id: description`. */
export function columnLine({ name, type, nullable, primary_key, references, tests, description }: Column): string {
  const traits = [
    [name, type].filter(Boolean).join(' '),
    primary_key ? 'primary key' : nullable === false ? 'not null' : '',
    references ? `references ${references.asset}${references.column ? `#${references.column}` : ''}` : '',
    tests?.length ? `tested: ${tests.join(', ')}` : '',
  ];
  return traits.filter(Boolean).join(', ') + (description ? `: ${description}` : '');
}

/** An asset's text as the one chunk of a document. Its place among its kind stands as headings. */
export function indexDocument(asset: Asset, text: string): ChunkedDocument {
  const whole = { start: 0, end: text.length, firstChunk: 0, endChunk: 1 };
  const place = [asset.source_system, asset.node_type, ...partsOf(asset.qualified_name).slice(0, -1)];
  return {
    title: asset.name,
    text,
    sections: [
      { path: [], parent: -1, ...whole },
      { path: place, parent: 0, ...whole },
    ],
    chunks: [{ kind: 'text', section: 1, start: 0, end: text.length }],
    warnings: [],
  };
}
