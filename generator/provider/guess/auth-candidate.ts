import type { CuratedAuth } from '../../model/shape/curation.ts';

/** A way to authenticate, and what a person should know who settles it. */
export interface GuessedAuth {
  readonly auth: CuratedAuth;
  /** What has to come with the credential, from variables of its own. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly review: string;
  /** What there is to know of it by whoever sets it. */
  readonly note?: string;
  /** The declared schemes that it satisfies. */
  readonly schemes?: readonly string[];
}

/** A way to authenticate that a description offers. */
export interface Candidate extends Omit<GuessedAuth, 'review'> {
  /** As the description calls it. */
  readonly title: string;
  /** Operations that take it. */
  readonly votes: number;
  /** Whether it is that of operators, or on its way out. */
  readonly isSeldom?: boolean;
  /** Whether it is said to be a key in the header for credentials. */
  readonly isApiKey?: boolean;
}

/** `SERVICE_ACME_USER_ID` for the header `X-User-Id`. */
export function variableOf(id: string, name: string): string {
  const words = name
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^X_|^_+|_+$/g, '');
  const provider = id.toUpperCase();
  const own = words.startsWith(`${provider}_`) ? words.slice(provider.length + 1) : words;
  return `SERVICE_${provider}_${own}`.slice(0, 64);
}

/** The variable of the credential that most operations of a vendor take. */
export function tokenOf(id: string): string {
  return `SERVICE_${id.toUpperCase()}_TOKEN`;
}
