import { readFileSync } from 'node:fs';
import { type Owner, unusable } from './wire-credential.ts';

/** A token, and the variable that it comes from. */
interface Found {
  readonly token: string;
  readonly variable: string;
}

/**
 * Take a token from the first of some variables that is set, or from the file that it names. What
 * stands around tokens in files and in copied lines is no part of them.
 *
 * @throws WrongSetting
 */
export function readToken(
  names: readonly string[],
  { provider, env }: Pick<Owner, 'provider' | 'env'>,
): Found | undefined {
  for (const name of names) {
    const value = env[name]?.trim() || undefined;
    const file = env[`${name}_FILE`] || undefined;
    const owner = { provider, env, variable: file === undefined ? name : `${name}_FILE` };
    if (value !== undefined && file !== undefined) {
      const expected = `either ${name} or ${name}_FILE, not both`;
      throw unusable(owner, { reason: `expected ${expected}`, expected });
    }
    const token = file === undefined ? value : readFile(file, owner);
    if (token !== undefined) return { token: checked(token, owner), variable: owner.variable };
  }
  return undefined;
}

function readFile(path: string, owner: Owner): string {
  const { variable } = owner;
  let token: string;
  try {
    token = readFileSync(path, 'utf8').trim();
  } catch (cause) {
    const reason = `the file that ${variable} names cannot be read`;
    const received = JSON.stringify(path);
    throw unusable(owner, { reason, expected: 'a readable file', received, cause });
  }
  if (token !== '') return token;
  const reason = `the file that ${variable} names is empty`;
  throw unusable(owner, {
    reason,
    expected: 'a file that holds the value',
    received: 'an empty one',
  });
}

/** What often stands in the place of a token, or around it, and what is expected instead. */
const slips: readonly (readonly [RegExp, reason: string, expected: string])[] = [
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  [/[\x00-\x1f\x7f]/, 'it goes over more than one line', 'one line'],
  [/^(["'`]).*\1$/, 'it stands in quotes', 'the value without quotes around it'],
  [/^(?:Bearer|Token|Basic) /i, 'it begins with the name of a scheme', 'the token alone'],
];

function checked(token: string, owner: Owner): string {
  const slip = slips.find(([pattern]) => pattern.test(token));
  if (slip === undefined) return token;
  const [, reason, expected] = slip;
  throw unusable(owner, { reason, expected });
}
