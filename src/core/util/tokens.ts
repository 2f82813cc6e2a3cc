type CountTokens = (text: string) => number;

let counter: Promise<CountTokens> | undefined;

/** Longest run handed to the encoder at once; its merge step is quadratic in a run without spaces. */
const PIECE = 4000;

/**
 * The token counter of the o200k encoding (GPT-4o and later), from gpt-tokenizer. Loaded on first use, since its table
 * takes some 100 ms. Texts that look like special tokens are counted as plain text.
 */
export function tokenCounter(): Promise<CountTokens> {
  counter ??= import('gpt-tokenizer/encoding/o200k_base').then(({ encode }) => {
    const count: CountTokens = (text) => encode(text, { disallowedSpecial: new Set() }).length;
    return (text) => {
      if (text.length <= PIECE) return count(text);
      let total = 0;
      for (let start = 0; start < text.length; ) {
        const end = pieceEnd(text, start);
        total += count(text.slice(start, end));
        start = end;
      }
      return total;
    };
  });
  return counter;
}

/** Cuts after a line break where there is one, so that the pieces' counts add up to the whole's. */
function pieceEnd(text: string, start: number): number {
  if (text.length - start <= PIECE) return text.length;
  const line = text.lastIndexOf('\n', start + PIECE - 1);
  return line > start ? line + 1 : start + PIECE;
}
