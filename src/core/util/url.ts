/** A URL, or null for a text that is none. (`URL.parse` needs Node 22; the command line runs on 20.) */
export function parseUrl(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}
