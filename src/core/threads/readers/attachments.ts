import type { Attachment } from '../model.ts';
import { count, label, list, name, object, present } from '../values.ts';

/** The files, folders, pictures and selections that the person attached to a request of a VS Code chat. */
export function attachmentsOf(variableData: unknown): Attachment[] {
  return list(object(variableData).variables).flatMap((variable) => {
    const fields = object(variable);
    const title = name(fields.name) ?? name(fields.fullName);
    const uri = uriText(fields.value) ?? uriText(object(fields.value).uri);
    if (title === undefined && uri === undefined) return [];
    return [
      present({
        kind: label(fields.kind) ?? 'reference',
        name: title ?? uri!,
        uri,
        lines: lineRange(object(fields.value).range),
      }),
    ];
  });
}

/** A URI from its text or from the parts that VS Code stores (`scheme`, `authority`, `path`). */
export function uriText(value: unknown): string | undefined {
  if (typeof value === 'string') return /^[a-z][\w+.-]*:/i.test(value) ? value : undefined;
  const { scheme, authority, path, external } = object(value);
  if (name(external)) return name(external);
  const place = name(path);
  if (place === undefined) return undefined;
  const encoded = place.split('/').map(encodeURIComponent).join('/');
  return `${name(scheme) ?? 'file'}://${name(authority) ?? ''}${encoded}`;
}

function lineRange(range: unknown): [number, number] | undefined {
  const { startLineNumber, endLineNumber } = object(range);
  const [first, last] = [count(startLineNumber), count(endLineNumber)];
  return first === undefined || last === undefined ? undefined : [first, last];
}
