import { createKeyParams } from '../schemas/keys.ts';
import type { KeyKind } from './format.ts';
import { prefixOf } from './format.ts';
import type { IssuedKey, Keystore } from './keystore.ts';

export type KeyCommandDeps = { keys: Keystore; now: () => Date };

/** A command that was asked for something that cannot be; the message is for the operator. */
export class KeyCommandError extends Error {
  override readonly name = 'KeyCommandError';
}

export type IssueKeyInput = {
  name: string;
  /** May be absent for admin keys only. */
  email: string | undefined;
  limit: string | undefined;
  kind: KeyKind;
  isAdmin: boolean;
};

/** Makes a key under the same rules as `/api/keys/create`; all problems are reported together. */
export async function issueKey(
  input: IssueKeyInput,
  { keys, now }: KeyCommandDeps,
): Promise<IssuedKey> {
  const { name, email, limit, kind, isAdmin } = input;
  const rules =
    isAdmin && email === undefined ? createKeyParams.omit({ email: true }) : createKeyParams;
  const read = rules.safeParse({ name, email, monthly_limit: limit });
  if (!read.success) {
    const problems = read.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`);
    throw new KeyCommandError(problems.join('; '));
  }
  const contact = 'email' in read.data ? String(read.data.email) : '';
  const key = { name: read.data.name, email: contact, monthlyLimit: read.data.monthly_limit };
  return keys.create(key, kind, now(), isAdmin);
}

/** Switches the key with that prefix on or off. */
export async function switchKey(
  prefix: string,
  isActive: boolean,
  { keys, now }: KeyCommandDeps,
): Promise<void> {
  // A whole key pasted by mistake works too, and is not repeated in the message.
  const name = prefixOf(prefix);
  if (!(await keys.setActive(name, isActive, now()))) {
    throw new KeyCommandError(`No key has the prefix "${name}".`);
  }
}
