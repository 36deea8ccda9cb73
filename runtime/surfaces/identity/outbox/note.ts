import type { AuditActor } from '#contract/house/audit';
import type {
  ClaimRequestedPayload,
  ClientRegisteredPayload,
  ConsentGivenPayload,
  KeyRotatedPayload,
  ProviderEventReceivedPayload,
  RefreshReuseDetectedPayload,
  RegistrationCreatedPayload,
  ScopesWidenedPayload,
  TenantRevokedPayload,
  TokenIssuedPayload,
  TokenRevokedPayload,
} from '../../../../generated/surfaces/identity/events.ts';
import type { RegistrationStatus } from '../claim/claiming.ts';

type Nothing = Readonly<Record<string, never>>;

/** What the entry of each action says. */
export interface NotePayloads {
  readonly REGISTRATION_CREATED: RegistrationCreatedPayload;
  readonly REGISTRATION_EXPIRED: Nothing;
  readonly REGISTRATION_REVOKED: Nothing;
  readonly CLAIM_REQUESTED: ClaimRequestedPayload;
  readonly CLAIM_CONFIRMED: ClaimRequestedPayload;
  readonly CLAIM_DENIED: ClaimRequestedPayload;
  readonly CLAIM_LOCKED: ClaimRequestedPayload;
  readonly CLIENT_REGISTERED: ClientRegisteredPayload;
  readonly CONSENT_GIVEN: ConsentGivenPayload;
  readonly CONSENT_REFUSED: ConsentGivenPayload;
  readonly CONSENT_REVOKED: ConsentGivenPayload;
  readonly SCOPES_WIDENED: ScopesWidenedPayload;
  readonly TOKEN_ISSUED: TokenIssuedPayload;
  readonly TOKEN_REVOKED: TokenRevokedPayload;
  readonly REFRESH_REUSE_DETECTED: RefreshReuseDetectedPayload;
  readonly KEY_ROTATED: KeyRotatedPayload;
  readonly PROVIDER_EVENT_RECEIVED: ProviderEventReceivedPayload;
  readonly TENANT_REVOKED: TenantRevokedPayload;
}

/** What becomes of the agent whose registration a note is about. */
export interface AgentChange {
  /** Absent where it is new, or where what it was is not known. */
  readonly from?: RegistrationStatus | undefined;
  readonly to: RegistrationStatus;
}

interface NoteFacts {
  readonly actor: AuditActor;
  /** Id of the registration, the client or the key, or the issuer. */
  readonly subject: string;
  readonly outcome?: 'denied';
  readonly agent?: AgentChange;
}

/** Something that has happened, in the names of the entry that it becomes. */
export type OutboxNote = {
  readonly [Action in keyof NotePayloads]: NoteFacts & {
    readonly action: Action;
    readonly payload: NotePayloads[Action];
  };
}[keyof NotePayloads];
