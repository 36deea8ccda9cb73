import { type Candidate, type GuessedAuth, variableOf } from './auth-candidate.ts';
import type { ReadScheme } from './security-schemes.ts';

/** The security schemes of a description that a text can carry, by their names. */
export type Schemes = ReadonlyMap<string, ReadScheme>;

/** Several schemes that are sent together. */
export interface JoinedWay extends Pick<Candidate, 'auth' | 'headers' | 'query' | 'note'> {
  /** Whether that is all that was demanded. */
  readonly isWhole: boolean;
}

interface Sending {
  readonly id: string;
  /** The usual credential: where it is one of the keys, its variable holds that. */
  readonly usual?: GuessedAuth['auth'];
}

/**
 * One credential, and keys that come with it. Of several in one place the first that is more than a
 * key is sent, which is a value of the keys too; what no text can carry is left to a person.
 */
export function joinedWay(
  set: readonly string[],
  schemes: Schemes,
  { id, usual }: Sending,
): JoinedWay | undefined {
  const all = set.flatMap((name) => schemes.get(name) ?? []);
  const isKey = ({ auth }: ReadScheme) => auth.type === 'api_key' && auth.in !== 'cookie';
  const main =
    all.find((scheme) => !isKey(scheme)) ??
    all.find(({ auth }) => /key|secret|token|auth/i.test(auth.name ?? '')) ??
    all[0];
  if (!main) return undefined;
  const own = new Map([main, ...all].toReversed().map((scheme) => [placeOf(scheme), scheme]));
  own.delete(placeOf(main));
  const others = [...own.values()].toReversed();
  if (!others.every(isKey)) return undefined;
  const variableFor = (scheme: ReadScheme) => {
    const isUsual = usual !== undefined && placeOf({ auth: usual }) === placeOf(scheme);
    return (isUsual ? usual.env?.[0] : undefined) ?? variableOf(id, scheme.auth.name ?? '');
  };
  const inPlace = (place: string) => {
    const entries = others.flatMap((scheme) => {
      const { in: at, name = '', format = '{token}' } = scheme.auth;
      const value = format.replace('{token}', `{env:${variableFor(scheme)}}`);
      return at === place ? [[name, value]] : [];
    });
    return entries.length > 0 ? Object.fromEntries(entries) : undefined;
  };
  const [headers, query] = [inPlace('header'), inPlace('query')];
  const isWhole = all.length === set.length && others.length === all.length - 1;
  return {
    ...main,
    ...(!isWhole && { note: [main.note, missing(set)].filter(Boolean).join('; ') }),
    ...(headers && { headers }),
    ...(query && { query }),
    isWhole,
  };
}

function missing(set: readonly string[]): string {
  return `the description wants ${set.join(' and ')} together, of which only some can be sent`;
}

/** Where a credential stands in a request: one place carries one. */
export function placeOf({ auth }: Pick<ReadScheme, 'auth'>): string {
  return `${auth.in ?? 'header'} ${auth.name ?? 'Authorization'}`.toLowerCase();
}
