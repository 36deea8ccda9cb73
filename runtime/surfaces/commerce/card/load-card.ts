import type { House } from '#contract/house/house';
import type { CommerceEvents } from '../../../../generated/surfaces/commerce/events.ts';
import type { PaymentRow } from '../../../../generated/surfaces/commerce/tables.ts';
import type { PaymentRecords } from '../records/payment-records.ts';
import type { CardEvents } from './card-events.ts';
import { CardProcessor } from './card-processor.ts';
import { giveBackByCard } from './card-refund.ts';
import type { CardSettings } from './card-settings.ts';
import { catchUp } from './catch-up.ts';
import { followCharge } from './follow-charge.ts';

export interface CardParts {
  readonly settings: CardSettings;
  readonly records: PaymentRecords;
  readonly events: CommerceEvents;
  readonly cardEvents: CardEvents;
  readonly house: Pick<House, 'now' | 'log'>;
}

/** What else is needed of the rest of the engine. */
interface Engine {
  readonly refund: (row: PaymentRow) => Promise<void>;
  readonly settle: (row: PaymentRow) => Promise<void>;
}

/** Everything that is done with the processor of cards: nothing of it is loaded where none is set up. */
export function loadCard({ settings, records, events, cardEvents, house }: CardParts) {
  const { now, log } = house;
  const processor = new CardProcessor(settings);
  return {
    processor,
    giveBack: (row: PaymentRow) => giveBackByCard({ processor, records, events }, row),
    catchUp: (signal: AbortSignal) => catchUp(processor, cardEvents, now(), signal),
    follow: (intent: string, engine: Engine) =>
      followCharge({ processor, records, events, log, ...engine }, intent),
  };
}
