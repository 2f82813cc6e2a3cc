/** How the parsers say that their stacks, or their limits on depth, are exhausted. */
const TOO_DEEP = /E_GUARD_|call stack|memory exhausted/;

/** What a parser says of a text that it does not accept. */
export class SyntaxProblem extends Error {
  override readonly name = 'SyntaxProblem';
  /** UTF-16 offset of where it stopped, if it says. */
  readonly offset: number | undefined;

  constructor(message: string, offset?: number) {
    super(TOO_DEEP.test(message) ? 'The statement is nested too deeply to be read' : message);
    this.offset = offset;
  }
}
