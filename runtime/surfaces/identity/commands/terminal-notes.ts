import type { JobRun } from '#contract/house/jobs';
import type { IdentityEvents } from '../../../../generated/surfaces/identity/events.ts';
import { operator } from './operator.ts';

/** What was done at the terminal, as former versions have left it in the store. */
type TerminalNote =
  | { readonly kind: 'revoked'; readonly registration: string }
  | { readonly kind: 'tenant_revoked'; readonly registrations: number }
  | {
      readonly kind: 'consent_revoked';
      readonly client: string;
      readonly resource: string;
      readonly scope: string;
    }
  | {
      readonly kind: 'issued';
      readonly jti: string;
      readonly resource: string;
      readonly scope: string;
    };

/** Make what writes it down; what is done now goes through the outbox. */
export function writeTerminalNotes(
  events: Pick<
    IdentityEvents,
    'registrationRevoked' | 'tenantRevoked' | 'consentRevoked' | 'tokenIssued'
  >,
): (job: JobRun) => Promise<void> {
  return async ({ tenant, payload }) => {
    // Former versions have written it.
    const note = payload as unknown as TerminalNote;
    const facts = { tenant, actor: operator };
    switch (note.kind) {
      case 'revoked':
        await events.registrationRevoked({ ...facts, subject: note.registration, payload: {} });
        return;
      case 'tenant_revoked': {
        const { registrations } = note;
        await events.tenantRevoked({ ...facts, subject: tenant, payload: { registrations } });
        return;
      }
      case 'consent_revoked': {
        const { kind: _, ...consent } = note;
        await events.consentRevoked({ ...facts, subject: note.client, payload: consent });
        return;
      }
      case 'issued': {
        const { kind: _, ...issued } = note;
        await events.tokenIssued({ ...facts, payload: issued });
      }
    }
  };
}
