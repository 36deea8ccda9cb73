import type { JSONWebKeySet } from 'jose';

/** How a client proves at the token endpoint who it is (RFC 7591 section 2). */
export type ClientMethod =
  | 'none'
  | 'client_secret_basic'
  | 'client_secret_post'
  | 'private_key_jwt';

export const clientMethods: readonly ClientMethod[] = [
  'none',
  'client_secret_basic',
  'client_secret_post',
  'private_key_jwt',
];

/** What a client says of itself, read and checked. */
export interface ClientMetadata {
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly method: ClientMethod;
  readonly grantTypes: readonly string[];
  /** The most it is ever given, as its operator says; everything it asks for where absent. */
  readonly scopes?: readonly string[];
  readonly jwks?: JSONWebKeySet;
  readonly jwksUri?: string;
  /** It takes no token that is not bound to a key of its own (RFC 9449 section 5.2). */
  readonly wantsDpop: boolean;
  readonly softwareId: string;
  readonly softwareVersion?: string;
}

/** Software that asks for tokens on behalf of people, or for itself. */
export interface OAuthClient extends ClientMetadata {
  readonly id: string;
  /** By the operator, in a document of its own, or registered by itself. */
  readonly kind: 'configured' | 'document' | 'dynamic';
  /** SHA-256 of its secret; empty where it has none. */
  readonly secretHash: string;
  /** Changes with its redirect addresses, its keys and how it proves itself. */
  readonly digest: string;
}
