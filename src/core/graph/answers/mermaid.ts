/** What a lineage picture shows. */
export interface Diagram {
  readonly nodes: readonly { readonly id: string; readonly label: string; readonly kind: string }[];
  readonly edges: readonly { readonly from: string; readonly to: string }[];
}

/** Longest label, in characters. */
const LONGEST = 60;

/** A Mermaid flowchart, left to right as the data flows. Labels may hold anything: they cannot leave their quotes. */
export function mermaid({ nodes, edges }: Diagram): string {
  const lines = nodes.map(({ id, label, kind }) => `  ${id}["${escaped(label)}<br/><i>${escaped(kind)}</i>"]`);
  const drawn = new Set(edges.map(({ from, to }) => `  ${from} --> ${to}`));
  return ['flowchart LR', ...lines, ...drawn].join('\n');
}

/** Mermaid's entity codes for what would end a label, be read as HTML or as Markdown. */
function escaped(text: string): string {
  const characters = [...text.replace(/\s+/g, ' ')];
  const short = characters.length > LONGEST ? [...characters.slice(0, LONGEST - 1), '…'] : characters;
  return short
    .map((character) => (/[\p{L}\p{N} _.,:/()…-]/u.test(character) ? character : `#${character.codePointAt(0)};`))
    .join('');
}
