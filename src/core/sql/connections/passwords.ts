import * as z from 'zod';

const Passwords = z.record(z.string(), z.string());

/**
 * The passwords of connections out of the one secret that holds them: a JSON object, by `passwordKey`. A secret that is
 * none, or is damaged, holds no passwords.
 */
export function parsePasswords(secret: string | undefined): Readonly<Record<string, string>> {
  if (!secret) return {};
  try {
    return Passwords.parse(JSON.parse(secret));
  } catch {
    return {};
  }
}

/** The secret with one password set, or removed when it is undefined. */
export function withPassword(secret: string | undefined, key: string, password: string | undefined): string {
  const { [key]: _, ...others } = parsePasswords(secret);
  return JSON.stringify(password === undefined ? others : { ...others, [key]: password });
}
