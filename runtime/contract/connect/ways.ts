import type { JsonPath } from '../json.ts';

/** How a person gets a credential of their own that travels as one scheme of a provider says. */
export interface ConnectWays {
  /** Kept with what was connected: it never changes. */
  readonly id: string;
  readonly oauth2?: OAuthConnect;
  readonly key?: KeyConnect;
}

/** The authorization code flow of a vendor (RFC 6749 section 4.1), with what is peculiar to it. */
export interface OAuthConnect {
  readonly authorizeUrl: string;
  readonly tokenUrl: string;
  /** What its answers call it (RFC 9207); the origin of `authorizeUrl` when absent. */
  readonly issuer?: string;
  /** The variables that hold what this server is called there, and its secret. */
  readonly clientId: string;
  readonly clientSecret: string;
  /** How the client proves who it is; `secret_as_user`: Basic with the secret as the user's name. */
  readonly clientAuth: 'basic' | 'post' | 'secret_as_user';
  /** False where the vendor refuses the parameters of RFC 7636. */
  readonly pkce: boolean;
  readonly scopes: readonly string[];
  readonly scopeParameter: string;
  readonly scopeSeparator: string;
  /** Constant parameters of the authorization request. */
  readonly parameters?: Readonly<Record<string, string>>;
  readonly tokenBody: 'form' | 'json';
  readonly tokenHeaders?: Readonly<Record<string, string>>;
  /** Parameters of token requests that the vendor refuses. */
  readonly omit?: readonly string[];
  /** The object in the answer that holds the token, where it is not the answer itself. */
  readonly tokenAt?: JsonPath;
  /** What in the answer names the account for people. */
  readonly accountAt?: JsonPath;
  /** How long a token lives, in milliseconds, where the answer does not say so. */
  readonly lifetimeMs?: number;
  readonly revoke?: OAuthRevoke;
}

/** How a token is given back. */
export interface OAuthRevoke {
  /** `{client_id}` stands for the client. */
  readonly url: string;
  readonly method: 'POST' | 'DELETE';
  /** Who asks: the client, or whoever has the token. */
  readonly by: 'client' | 'token';
  readonly body: 'form' | 'json' | 'none';
  /** Name of the parameter that holds the token. */
  readonly parameter: string;
  /** What ends with it, where that is more than the token: all that the person has granted. */
  readonly ends?: 'grant';
}

/** A key that a person makes at the vendor and pastes. */
export interface KeyConnect {
  /** What the vendor calls it. */
  readonly label: string;
  /** Where it is made. */
  readonly url: string;
  /** Regular expression that the whole key matches. */
  readonly pattern?: string;
  /** What it may do there, and what it should not, in a sentence for the person. */
  readonly advice?: string;
}
