import { hash } from 'node:crypto';
import type { EventDoor } from '#contract/bus/events';
import type { AnyTransaction } from '#contract/house/store';
import { createEvents } from '../../../generated/events.ts';
import type { ApprovalRow } from '../../../generated/tables.ts';

type Asked = Pick<ApprovalRow, 'tenant' | 'id' | 'subject' | 'registration' | 'operation'>;

/** Tells on the event bus what becomes of questions to people, in the transaction in which it does. */
export interface AnnouncedReviews {
  waits(tx: AnyTransaction, asked: Asked): Promise<void>;
  decided(tx: AnyTransaction, asked: Asked, decision: 'approved' | 'declined'): Promise<void>;
  expired(tx: AnyTransaction, asked: Asked): Promise<void>;
}

const untold: AnnouncedReviews = {
  waits: async () => {},
  decided: async () => {},
  expired: async () => {},
};

/** Make it; nothing is told where there is no bus. */
export function announceReviews(bus: EventDoor | undefined): AnnouncedReviews {
  if (bus === undefined) return untold;
  const { hitlEnqueued, hitlAnnotated, hitlExpired } = createEvents(bus).agent;
  return {
    async waits(tx, asked) {
      const { data, ...facts } = factsOf(asked);
      await hitlEnqueued.within(tx, { ...facts, data: { ...data, to: 'pending' } });
    },
    async decided(tx, asked, to) {
      const { data, ...facts } = factsOf(asked);
      await hitlAnnotated.within(tx, { ...facts, data: { ...data, from: 'pending', to } });
    },
    expired: (tx, asked) => hitlExpired.within(tx, factsOf(asked)),
  };
}

function factsOf({ tenant, id, subject, registration, operation }: Asked) {
  const agent = (registration || subject).slice(0, 256);
  // The id itself opens the page.
  const correlation = hash('sha256', `approval ${id}`, 'base64url');
  const data = { agent_id: agent, task: operation.slice(0, 256), correlation_id: correlation };
  return { tenant, subject: agent, correlationId: correlation, data };
}
