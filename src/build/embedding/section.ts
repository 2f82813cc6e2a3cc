/** A piece of documentation under one heading. */
export interface Section {
  /** The page's title, or empty. */
  readonly title: string;
  /** The section's own heading, or empty. */
  readonly heading: string;
  /** The prose and examples under the heading, white space made single. */
  readonly text: string;
}

/** A piece of code and what its author says about it. */
export interface Documented {
  /** The name of the function, class or setting, or empty. */
  readonly name: string;
  /** The comment or docstring, its markers taken off. */
  readonly comment: string;
  /** The code without the comment; empty where there is none worth keeping. */
  readonly code: string;
}

/** What a file of a corpus holds. */
export type Extract = { readonly kind: 'section' } & Section;
export type Extracted = Extract | ({ readonly kind: 'code'; readonly language: string } & Documented);

/** Collapses white space and trims. */
export function squeeze(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
