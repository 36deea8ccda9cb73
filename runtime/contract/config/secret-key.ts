import { ConfigError } from './config.ts';

export const keyInWords = '32 bytes in base64, as `openssl rand -base64 32` prints them';

/** 32 bytes in base64; another text decodes to something, too, but nobody meant it. */
export function parseKey(text: string): Buffer | undefined {
  const key = Buffer.from(text.trim(), 'base64');
  const same = key.toString('base64').replace('=', '') === text.trim().replace('=', '');
  return key.length === 32 && same ? key : undefined;
}

/**
 * Read the key that a switch gives, if it is set.
 *
 * @throws ConfigError
 */
export function configuredKey(variable: string, text: string | undefined): Buffer | undefined {
  if (text === undefined) return undefined;
  const key = parseKey(text);
  if (key !== undefined) return key;
  throw new ConfigError([{ variable, expected: keyInWords }]);
}

/**
 * Read the keys that a switch gives, separated by commas; none where it is not set.
 *
 * @throws ConfigError
 */
export function configuredKeys(variable: string, text: string | undefined): readonly Buffer[] {
  if (text === undefined) return [];
  const keys = text.split(',').map(parseKey);
  const sound = keys.filter((key) => key !== undefined);
  if (sound.length === keys.length) return sound;
  const received = `${keys.length} of which ${keys.length - sound.length} cannot be read`;
  throw new ConfigError([{ variable, expected: `${keyInWords}, separated by commas`, received }]);
}
