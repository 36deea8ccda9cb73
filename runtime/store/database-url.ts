import { ConfigError } from '#contract/config/config';

/**
 * Check that a text is the address of a PostgreSQL database. It holds a password: no error
 * repeats it.
 *
 * @throws ConfigError
 */
export function readDatabaseUrl(
  text: string | undefined,
  variable = 'SERVICE_DATABASE_URL',
): string | undefined {
  if (text === undefined || /^postgres(ql)?:$/.test(URL.parse(text)?.protocol ?? '')) return text;
  throw new ConfigError([{ variable, expected: 'postgres://user@host:port/database' }]);
}
