import type { KeyConnect, OAuthConnect } from './ways.ts';

/** One way in which people connect accounts of theirs, ready to be used. */
export type ConnectWay =
  | {
      readonly kind: 'oauth2';
      /** The scheme as which what they connect travels. */
      readonly scheme: string;
      readonly flow: OAuthConnect;
      /** What this server is called at the vendor. */
      readonly client: { readonly id: string; readonly secret: string };
    }
  | { readonly kind: 'key'; readonly scheme: string; readonly key: KeyConnect };

/** What became of a call that tries a credential out. */
export interface TriedOut {
  readonly ok: boolean;
  /** The vendor's HTTP status, if it answered. */
  readonly status?: number | undefined;
  /** Whether the vendor does not take the credential; what fails otherwise may pass. */
  readonly isRefused?: boolean;
  readonly message: string;
}

/** An enabled vendor at which people connect accounts of their own. */
export interface ConnectableVendor {
  readonly id: string;
  readonly title: string;
  /** Empty where the operator has set up none of them. */
  readonly ways: readonly ConnectWay[];
  /** Whether the operator has a credential that serves those who have connected nothing. */
  readonly isShared: boolean;
  /** Ask the vendor whether a credential works that travels as `scheme`. */
  tryOut(scheme: string, token: string): Promise<TriedOut>;
}
