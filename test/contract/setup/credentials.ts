import type { CuratedAuth, Curation } from '../../../generator/model/shape/curation.ts';
import type { DraftedVendor } from './draft-all.ts';

const basic = 'user:password';
/** Some descriptions want a UUID of the parameter that is a credential. */
const token = '00000000-0000-4000-8000-00000000c0de';

/** The variables with which the server reaches the mock, with a credential of the kind that was guessed. */
export function serverCredentials(
  id: string,
  { curation, model }: Pick<DraftedVendor, 'curation' | 'model'>,
  url: string,
): Record<string, string> {
  const pairs = new Set(curation.auth.flatMap((auth) => (isPair(auth) ? (auth.env ?? []) : [])));
  return {
    SERVICE_PROVIDER: id,
    [`SERVICE_PROVIDER_${id.toUpperCase()}_URL`]: url,
    ...Object.fromEntries(
      model.env
        .filter((name) => name.startsWith('SERVICE_'))
        .map((name) => [name, pairs.has(name) ? basic : token]),
    ),
  };
}

/** The same credentials as they travel, for a server that has to be told how. */
export function sentCredentials({ auth, headers = {}, query = {} }: Curation): {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
} {
  const sent = { headers: filled(headers), query: filled(query) };
  for (const { type, in: place, name = 'Authorization', format = '{token}' } of auth) {
    if (type === 'none') continue;
    const value = format.replace('{token}', isPair({ type, format }) ? basic : token);
    if (type === 'basic') {
      sent.headers['Authorization'] = `Basic ${Buffer.from(value).toString('base64')}`;
    } else if (type !== 'api_key') {
      sent.headers['Authorization'] = `Bearer ${token}`;
    } else if (place === 'query') {
      sent.query[name] = value;
    } else if (place === 'cookie') {
      sent.headers['Cookie'] = `${name}=${value}`;
    } else {
      sent.headers[name] = value;
    }
  }
  return sent;
}

/** Whether a credential is user and password; with another format, as `{token}:`, it is a part of them. */
function isPair({ type, format = '{token}' }: Pick<CuratedAuth, 'type' | 'format'>): boolean {
  return type === 'basic' && format === '{token}';
}

function filled(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, value.replace(/\{env:[^}]*\}/g, token)]),
  );
}
