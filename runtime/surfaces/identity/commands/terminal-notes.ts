import type { House } from '#contract/house/house';
import type { JobRun } from '#contract/house/jobs';
import type { AnyTransaction } from '#contract/house/store';
import type { IdentityEvents } from '../../../../generated/surfaces/identity/events.ts';

/** What was done at the terminal. */
export type TerminalNote =
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

/** Leaves a note, in the caller's transaction where there is one. */
export type NoteAtTerminal = (note: TerminalNote, tx?: AnyTransaction) => Promise<void>;

const name = 'identity-terminal';
const actor = { type: 'user', id: 'operator' } as const;

/** Leave what was done to a job: the audit log may belong to a server that runs. */
export function noteAtTerminal(jobs: House['jobs'], tenant: string): NoteAtTerminal {
  return (note, tx) => jobs.enqueue({ name, tenant, payload: { ...note } }, tx);
}

/** Make what writes it down. */
export function writeTerminalNotes(
  events: Pick<
    IdentityEvents,
    'registrationRevoked' | 'tenantRevoked' | 'consentRevoked' | 'tokenIssued'
  >,
): (job: JobRun) => Promise<void> {
  return async ({ tenant, payload }) => {
    // Written by `noteAtTerminal` alone.
    const note = payload as unknown as TerminalNote;
    const facts = { tenant, actor };
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
