/** A token of Python source; comments are left out. */
export interface PythonToken {
  /** `end`: the end of a logical line. `expression`: an f-string's `{…}` and the like, whose value is not known. */
  readonly type: 'name' | 'string' | 'number' | 'mark' | 'end';
  /** A string's value; in an f-string, a name in braces stands as `\0name\0`. */
  readonly text: string;
  /** From 1. */
  readonly line: number;
}

const PREFIX = /^(?:[rbuf]|rb|br|rf|fr)$/i;
const MOST_TOKENS = 500_000;
const CHUNK =
  /[ \t\f]+|\\\n|(\n)|(#[^\n]*)|([\p{L}_][\p{L}\p{N}_]*)|((?:\d|\.\d)[\w.]*)|(>>=?|<<=?|\*\*=?|\/\/=?|[-+*/%&|^=!<>@:]=|->|.)/suy;

/** Splits Python source into tokens; line breaks inside brackets do not end a line. Never throws; linear in the text. */
export function tokenizePython(text: string): PythonToken[] {
  const tokens: PythonToken[] = [];
  let line = 1;
  let depth = 0;
  let at = 0;
  while (at < text.length && tokens.length < MOST_TOKENS) {
    CHUNK.lastIndex = at;
    const found = CHUNK.exec(text);
    if (!found) break;
    const [whole, newline, comment, name, number, mark] = found;
    const after = text[at + whole.length];
    if (name !== undefined && PREFIX.test(name) && (after === '"' || after === "'")) {
      const string = readString(text, at + name.length, name.toLowerCase());
      tokens.push({ type: 'string', text: string.value, line });
      line += string.lines;
      at = string.end;
      continue;
    }
    if (mark === '"' || mark === "'") {
      const string = readString(text, at, '');
      tokens.push({ type: 'string', text: string.value, line });
      line += string.lines;
      at = string.end;
      continue;
    }
    at += whole.length;
    if (newline !== undefined) {
      if (depth === 0 && tokens.at(-1)?.type !== 'end') tokens.push({ type: 'end', text: '', line });
      line++;
    } else if (whole === '\\\n') line++;
    else if (name !== undefined) tokens.push({ type: 'name', text: name, line });
    else if (number !== undefined) tokens.push({ type: 'number', text: number, line });
    else if (mark !== undefined && comment === undefined) {
      if ('([{'.includes(mark)) depth++;
      else if (')]}'.includes(mark)) depth = Math.max(0, depth - 1);
      tokens.push({ type: 'mark', text: mark, line });
    }
  }
  tokens.push({ type: 'end', text: '', line });
  return tokens;
}

/** A string from its opening quote on. One that never ends stops at its line's end, or the text's when it is triple. */
function readString(text: string, from: number, prefix: string): { value: string; end: number; lines: number } {
  const quote = text[from]!;
  const triple = text.startsWith(quote.repeat(3), from);
  const close = triple ? quote.repeat(3) : quote;
  const start = from + close.length;
  let end = start;
  let lines = 0;
  for (; end < text.length && !text.startsWith(close, end); end++) {
    if (text[end] === '\n') {
      if (!triple) break;
      lines++;
    }
    if (text[end] === '\\') {
      end++;
      if (text[end] === '\n') lines++;
    }
  }
  const closed = text.startsWith(close, end);
  const raw = text.slice(start, Math.min(end, text.length));
  const value = prefix.includes('r') ? raw : unescaped(raw);
  return {
    value: prefix.includes('f') ? holes(value) : value,
    end: closed ? end + close.length : Math.min(end, text.length),
    lines,
  };
}

function unescaped(raw: string): string {
  return raw.replace(/\\(\n|.)/gs, (whole, unit: string) => {
    const plain: Readonly<Record<string, string>> = {
      n: '\n',
      t: '\t',
      r: '\r',
      '\n': '',
      '\\': '\\',
      "'": "'",
      '"': '"',
    };
    return plain[unit] ?? whole;
  });
}

/** The expressions of an f-string, marked: a plain name by itself, anything else as an empty hole. */
function holes(value: string): string {
  let text = '';
  for (let at = 0; at < value.length; at++) {
    const unit = value[at]!;
    if ((unit === '{' || unit === '}') && value[at + 1] === unit) {
      text += unit;
      at++;
    } else if (unit === '{') {
      const end = closingBrace(value, at);
      const name = /^\s*([A-Za-z_]\w*)\s*(?:[!:][^}]*)?$/.exec(value.slice(at + 1, end))?.[1] ?? '';
      text += `\0${name}\0`;
      at = end;
    } else text += unit;
  }
  return text;
}

function closingBrace(value: string, open: number): number {
  let depth = 0;
  for (let at = open; at < value.length; at++) {
    if (value[at] === '{') depth++;
    else if (value[at] === '}' && --depth === 0) return at;
  }
  return value.length;
}
