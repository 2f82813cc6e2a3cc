import { type Command, type PipelineNode, parse, type Word, type WordPart } from 'unbash';

/** A word of a command whose text is known before it runs: no variables, no substitutions. */
export interface ShellWord {
  /** What the program gets; of a word with a pattern, the pattern. */
  readonly value: string;
  /** Set for a word with an unquoted `*`, `?` or `[…]`. */
  readonly pattern?: {
    /** What every expansion begins with. */
    readonly prefix: string;
  };
  /** Quoted such that bash reads exactly this word again. */
  readonly source: string;
}

export interface SimpleCommand {
  readonly name: string;
  readonly args: readonly ShellWord[];
}

export type Operator = '|' | '&&' | '||' | ';';

/** Simple commands joined by operators alone. */
export interface Chain {
  readonly commands: readonly SimpleCommand[];
  /** One fewer than commands. */
  readonly operators: readonly Operator[];
}

/** A command line as far as it can be known without running it. */
export type ParsedCommand =
  | { readonly kind: 'chain'; readonly chain: Chain }
  /** Bash could run it, but what it does is not plain from its words; `why` ends the sentence "It uses …". */
  | { readonly kind: 'complex'; readonly why: string }
  | { readonly kind: 'invalid'; readonly message: string };

/** Ends the parse of a chain: the command is more than that. */
class NotPlain extends Error {}

/** Reads a bash command line. */
export function parseCommand(source: string): ParsedCommand {
  const script = parse(source);
  const [error] = script.errors ?? [];
  if (error) return { kind: 'invalid', message: `${error.message}, at character ${error.pos + 1}` };
  if (script.commands.length === 0) return { kind: 'invalid', message: 'there is no command' };
  // Bash and this parser may not agree on what such characters are.
  if (/[^\S \t]|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(source.replaceAll('\t', ' '))) {
    return { kind: 'complex', why: 'several lines, or invisible or unusual space characters' };
  }
  try {
    const commands: SimpleCommand[] = [];
    const operators: Operator[] = [];
    for (const statement of script.commands) {
      if (statement.background) throw new NotPlain('a background job (&)');
      if (commands.length > 0) operators.push(';');
      addNode(statement.command, commands, operators);
    }
    return { kind: 'chain', chain: { commands, operators } };
  } catch (error) {
    if (!(error instanceof NotPlain)) throw error;
    return { kind: 'complex', why: error.message };
  }
}

/** The chain as bash source that leaves nothing open to interpretation. */
export function chainSource({ commands, operators }: Chain): string {
  return commands
    .map(({ name, args }, i) => {
      const command = [quote(name), ...args.map(({ source }) => source)].join(' ');
      return i === 0 ? command : `${operators[i - 1]} ${command}`;
    })
    .join(' ');
}

/** A word that bash takes literally. */
export function quote(text: string): string {
  return /^[\w./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

type Node =
  | PipelineNode
  | {
      readonly type: 'AndOr';
      readonly commands: readonly PipelineNode[];
      readonly operators: readonly ('&&' | '||')[];
    };

function addNode(node: Node, commands: SimpleCommand[], operators: Operator[]): void {
  switch (node.type) {
    case 'AndOr':
      for (const [i, each] of node.commands.entries()) {
        if (i > 0) operators.push(node.operators[i - 1]!);
        addNode(each, commands, operators);
      }
      return;
    case 'Pipeline':
      if (node.prefixes.length > 0) throw new NotPlain('a negation or time');
      for (const [i, each] of node.commands.entries()) {
        if (i > 0) {
          const operator = node.operators[i - 1]!;
          if (operator !== '|') throw new NotPlain('a pipe of errors (|&)');
          operators.push(operator);
        }
        addNode(each, commands, operators);
      }
      return;
    case 'Command':
      commands.push(simple(node));
      return;
    default:
      throw new NotPlain('a loop, condition, group, function or other compound command');
  }
}

function simple(command: Command): SimpleCommand {
  if (command.redirects.length > 0) throw new NotPlain('a redirect');
  if (command.prefix.length > 0) throw new NotPlain('a variable assignment');
  if (!command.name) throw new NotPlain('a variable assignment');
  const name = word(command.name);
  if (name.pattern || name.source.startsWith('~')) throw new NotPlain('a pattern as the name of a program');
  const args = command.args.map((arg) => {
    if (arg.type !== 'Word') throw new NotPlain('a variable assignment');
    return word(arg);
  });
  return { name: name.value, args };
}

/** A pattern with nothing but plain characters between its brackets. */
const BRACKETS = /^\[[!^]?[\w.,:@%+-]+\]$/;

function word({ text, value, parts }: Word): ShellWord {
  if (!parts) return literal(text, value);
  let [plain, source, prefix] = ['', '', undefined as string | undefined];
  for (const [i, part] of parts.entries()) {
    if (part.type === 'Glob') {
      if (part.kind === 'bracket' && !BRACKETS.test(part.text))
        throw new NotPlain('a pattern with quotes or expansions');
      prefix ??= plain;
      plain += part.text;
      source += part.text;
    } else {
      const piece = literalPart(part);
      plain += piece;
      source += i === 0 && part.type === 'Literal' ? withTilde(part.text, piece) : quote(piece);
    }
  }
  return prefix === undefined
    ? { value: plain, source: source || "''" }
    : { value: plain, source, pattern: { prefix } };
}

function literalPart(part: Exclude<WordPart, { type: 'Glob' }>): string {
  switch (part.type) {
    case 'Literal':
      return unescaped(part.text, part.value);
    case 'SingleQuoted':
      return part.value;
    case 'DoubleQuoted':
      return part.parts
        .map((inner) => {
          if (inner.type !== 'Literal') throw new NotPlain('a variable or substitution');
          return inner.value;
        })
        .join('');
    case 'BraceExpansion':
      throw new NotPlain('a brace expansion');
    case 'AnsiCQuoted':
    case 'LocaleString':
      throw new NotPlain('a word in $\'…\' or $"…"');
    case 'ExtendedGlob':
      throw new NotPlain('an extended pattern');
    default:
      throw new NotPlain('a variable or substitution');
  }
}

function literal(text: string, value: string): ShellWord {
  const plain = unescaped(text, value);
  return { value: plain, source: withTilde(text, plain) };
}

/** A literal's value, if the parser can be followed: each character stands for itself or behind a backslash. */
function unescaped(text: string, value: string): string {
  if (/[`$"'(){}<>|&;*?]/.test(text.replace(/\\./gs, ''))) throw new NotPlain('unquoted special characters');
  if (text.replace(/\\(.)/gs, '$1') !== value) throw new NotPlain('an unusual escape');
  return value;
}

/** `~/` at the start of a word stays for bash to expand; what follows is quoted. */
function withTilde(text: string, value: string): string {
  const [tilde = ''] = /^~(?:\/|$)/.exec(text) ?? [];
  if (tilde === '' && text.startsWith('~')) throw new NotPlain("another person's home folder");
  const rest = value.slice(tilde.length);
  return tilde !== '' && rest === '' ? tilde : tilde + quote(rest);
}
