import type { EventDoor } from '#contract/bus/events';
import type { AnyTransaction } from '#contract/house/store';
import {
  type AgentEvents,
  createEvents,
  type IdentityEvent,
  type IdentityEvents,
} from '../../../../generated/events.ts';
import type { ClaimRequestedPayload } from '../../../../generated/surfaces/identity/events.ts';
import type { RegistrationStatus } from '../claim/claiming.ts';
import type { OutboxNote } from './note.ts';

/** Longest values that the catalogue takes. */
const longestId = 256;

/** The event of what an agent becomes; where there is none of its own, that its state has changed. */
const becomes: Partial<Record<RegistrationStatus, 'claimed' | 'revoked'>> = {
  claimed: 'claimed',
  revoked: 'revoked',
};

type Tell = [keyof IdentityEvents, Omit<IdentityEvent, 'subject' | 'by'>];

/**
 * Make what tells notes on the event bus: what becomes of agents, and what is given to whom and
 * taken back. That a token was issued is told to nobody: it happens with every login.
 */
export function announceNotes(
  bus: EventDoor,
  tenant: string,
): (note: OutboxNote, tx: AnyTransaction) => Promise<void> {
  const { agent: agents, identity } = createEvents(bus);
  return async (note, tx) => {
    const { subject, actor, agent } = note;
    if (agent) {
      const { from, to } = agent;
      const data = { agent_id: subject.slice(0, longestId), ...(from && { from }), to };
      await eventOf(agents, note, to).within(tx, { tenant, subject, data });
    }
    const told = toldOf(note);
    if (!told) return;
    const [name, facts] = told;
    const data = { subject, by: actor.id.slice(0, longestId), ...facts };
    await identity[name].within(tx, { tenant, subject, data });
  };
}

function eventOf(agents: AgentEvents, { action }: OutboxNote, to: RegistrationStatus) {
  if (action === 'REGISTRATION_CREATED') return agents.registered;
  return agents[becomes[to] ?? 'state'];
}

/** What is told of a note besides what becomes of an agent. */
function toldOf(note: OutboxNote): Tell | undefined {
  switch (note.action) {
    case 'SCOPES_WIDENED':
      return ['scopesWidened', note.payload];
    case 'CONSENT_GIVEN':
      return ['consentGiven', note.payload];
    case 'CONSENT_REFUSED':
      return ['consentRefused', note.payload];
    case 'CONSENT_REVOKED':
      return ['consentRevoked', note.payload];
    case 'CLAIM_DENIED':
      return ['claimDenied', attemptOf(note)];
    case 'CLAIM_LOCKED':
      return ['claimLocked', attemptOf(note)];
    case 'TOKEN_REVOKED': {
      const { kind, jti } = note.payload;
      return ['tokenRevoked', { kind, ...(jti !== undefined && { token_id: jti }) }];
    }
    case 'REFRESH_REUSE_DETECTED':
      return ['refreshReuseDetected', note.payload];
    case 'CLIENT_REGISTERED':
      return ['clientRegistered', { client: note.payload.client }];
    case 'KEY_ROTATED':
      return ['keyRotated', { key_id: note.payload.kid, state: note.payload.state }];
    case 'PROVIDER_EVENT_RECEIVED':
      return ['providerEvent', {}];
    case 'TENANT_REVOKED':
      return ['tenantRevoked', {}];
    case 'REGISTRATION_CREATED':
    case 'REGISTRATION_EXPIRED':
    case 'REGISTRATION_REVOKED':
    case 'CLAIM_REQUESTED':
    case 'CLAIM_CONFIRMED':
    case 'TOKEN_ISSUED':
      return undefined;
  }
}

function attemptOf({ payload: { attempt } }: { readonly payload: ClaimRequestedPayload }) {
  return attempt === undefined ? {} : { attempt };
}
