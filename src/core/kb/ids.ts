import { createHash } from 'node:crypto';
import type { ChunkedDocument } from '../search/document.ts';

/**
 * A node's `path_part_id` is a UUID of version 8 (RFC 9562, custom). Its first half is a hash of the knowledge base and
 * the relative path, its second half a hash of those and of the place inside the document. So an id is the same on every
 * machine, and the document of any section or chunk is found from its id alone, without a table of all nodes.
 */
export function nodeId(base: string, path: string, place = ''): string {
  const outer = createHash('sha256').update(`${base}\0${path}`).digest();
  const inner = createHash('sha256').update(`${base}\0${path}\0${place}`).digest();
  outer[6] = (outer[6]! & 0x0f) | 0x80;
  inner[0] = (inner[0]! & 0x3f) | 0x80;
  const hex = outer.toString('hex', 0, 8) + inner.toString('hex', 0, 8);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** The half of an id that names the document or folder. */
export function documentHalf(id: string): string {
  return id.slice(0, 18).toLowerCase();
}

/** True for the text form of a UUID. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

const HEADING = '\u001f';
const CHUNK = '\u001e';
const NUMBER = '\u001d';

/**
 * Places of a document's sections and chunks: a section's is its heading path, with a number where siblings share a
 * heading; a chunk's is its section's and its ordinal there. An edit in another section leaves both as they are.
 */
export function places(document: Pick<ChunkedDocument, 'sections' | 'chunks'>): {
  sections: string[];
  chunks: string[];
} {
  const sections: string[] = [];
  const seen = new Map<string, number>();
  for (const section of document.sections) {
    if (section.parent < 0) {
      sections.push('');
      continue;
    }
    const heading = section.path.at(-1)!.replaceAll(/[\u001d-\u001f]/g, ' ');
    const key = `${sections[section.parent]}${HEADING}${heading}`;
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    sections.push(count === 1 ? key : `${key}${NUMBER}${count}`);
  }
  const next = new Array<number>(sections.length).fill(0);
  const chunks = document.chunks.map((chunk) => `${sections[chunk.section]}${CHUNK}${next[chunk.section]!++}`);
  return { sections, chunks };
}
