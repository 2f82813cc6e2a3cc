/** Bytes of JSON that one result's items may take, so that the whole stays below 8,000 (the editor cuts at 8,192). */
export const PAGE_BYTES = 7000;

export interface Pagination {
  readonly total: number;
  readonly returned: number;
  readonly limit: number;
  readonly offset: number;
  readonly has_more: boolean;
  /** Pass as `offset` for the next page; null on the last. */
  readonly next_offset: number | null;
}

/** Size of a value as UTF-8 JSON, in bytes. */
export function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value), 'utf8');
}

/**
 * The items from `offset` on, as many as `limit` and the page's bytes allow, and at least one while any is left, so that
 * following `next_offset` meets each item once.
 */
export function page<T, R>(
  items: readonly T[],
  { limit, offset }: { limit: number; offset: number },
  render: (item: T, index: number) => R,
  maxBytes = PAGE_BYTES,
): { items: R[]; pagination: Pagination } {
  const rendered: R[] = [];
  let bytes = 0;
  for (let i = offset; i < items.length && rendered.length < limit; i++) {
    const next = render(items[i]!, i);
    bytes += jsonBytes(next) + 1;
    if (rendered.length > 0 && bytes > maxBytes) break;
    rendered.push(next);
  }
  const end = offset + rendered.length;
  const more = end < items.length;
  const pagination = {
    total: items.length,
    returned: rendered.length,
    limit,
    offset,
    has_more: more,
    next_offset: more ? end : null,
  };
  return { items: rendered, pagination };
}

/** A name, heading or path for display: whole when its JSON takes at most `maxBytes`, else its beginning and `…`. */
export function brief(text: string, maxBytes: number): string {
  return jsonBytes(text) <= maxBytes ? text : `${cutText(text, maxBytes - 3).trimEnd()}…`;
}

/** Cuts text to at most `maxBytes` of UTF-8 JSON, never inside a character, at a line or word where one is near. */
export function cutText(text: string, maxBytes: number): string {
  if (jsonBytes(text) <= maxBytes) return text;
  let low = 0;
  let high = Math.min(text.length, maxBytes);
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (jsonBytes(text.slice(0, middle)) <= maxBytes) low = middle;
    else high = middle - 1;
  }
  const near = Math.max(text.lastIndexOf('\n', low - 1), text.lastIndexOf(' ', low - 1));
  if (near > low * 0.8) return text.slice(0, near + 1);
  const code = text.charCodeAt(low - 1);
  return text.slice(0, code >= 0xd800 && code <= 0xdbff ? low - 1 : low);
}
