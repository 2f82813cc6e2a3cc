import { posix } from 'node:path';
import type { Ref } from '../fragment.ts';
import { FILE_FOLDER } from './python-calls.ts';

/**
 * The file that a path in `from` names: beside it, or from the workspace folder. Addresses (`s3://…`) name
 * themselves. Undefined for what cannot be a place in the workspace.
 */
export function fileRef(path: string, from: string): Ref | undefined {
  const trimmed = path.trim().replaceAll('\\', '/');
  if (trimmed === '' || /[\n<>"]/.test(trimmed) || !/[\w*]/.test(trimmed) || trimmed.length > 500) return undefined;
  if (/^[a-z][a-z0-9+]+:\/\//i.test(trimmed)) return { kind: 'name', name: trimmed };
  if (trimmed.startsWith('/') || /^[a-z]:\//i.test(trimmed)) return { kind: 'name', name: `file://${trimmed}` };
  const folder = posix.dirname(from);
  if (trimmed.startsWith(FILE_FOLDER))
    return { kind: 'file', path: posix.join(folder, `.${trimmed.slice(FILE_FOLDER.length)}`) };
  const beside = posix.join(folder, trimmed);
  // The root of the file's own workspace folder.
  const root = from.startsWith('@') ? from.slice(0, from.indexOf('/') + 1) : '';
  const above = posix.join(root, trimmed.replace(/^(?:\.\.?\/)+/, ''));
  if (beside === above) return { kind: 'file', path: beside };
  // A notebook runs in its folder, a script mostly at the top.
  return from.endsWith('.py') ? { kind: 'file', path: above, or: beside } : { kind: 'file', path: beside, or: above };
}
