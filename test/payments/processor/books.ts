/** A charge, as the API shows it. */
export interface Intent {
  readonly id: string;
  readonly object: 'payment_intent';
  readonly amount: number;
  readonly currency: string;
  readonly created: number;
  readonly metadata: Readonly<Record<string, string>>;
  status: 'succeeded' | 'processing' | 'requires_action' | 'requires_payment_method' | 'canceled';
  /** What becomes of it: a status, or the code with which a bank declines. */
  readonly ends: 'succeeded' | 'processing' | 'requires_action' | (string & {});
  readonly latest_charge: string;
}

export interface Refund {
  readonly id: string;
  readonly object: 'refund';
  readonly amount: number;
  readonly payment_intent: string;
  readonly metadata: Readonly<Record<string, string>>;
  status: 'succeeded' | 'pending' | 'failed';
}

export interface Dispute {
  readonly id: string;
  readonly object: 'dispute';
  readonly amount: number;
  readonly payment_intent: string;
  status: 'needs_response' | 'won' | 'lost';
}

/** A token stands for a card, for one payment of at most so much of one currency. */
export interface Token {
  readonly ends: Intent['ends'];
  readonly most: number;
  readonly currency: string;
  readonly isExpired?: boolean;
  isUsed?: boolean;
}

/** Something that the processor tells. */
export interface ProcessorEvent {
  readonly id: string;
  readonly object: 'event';
  readonly type: string;
  readonly created: number;
  readonly data: { readonly object: object };
}

/** Something that a customer has used, and is billed for. */
export interface MeterEvent {
  readonly object: 'billing.meter_event';
  readonly identifier: string;
  readonly event_name: string;
  readonly payload: Readonly<Record<string, string>>;
  readonly timestamp: number;
  readonly created: number;
  readonly livemode: false;
}

/** All that the processor remembers. */
export interface Books {
  readonly tokens: Record<string, Token>;
  readonly intents: Record<string, Intent>;
  readonly refunds: Record<string, Refund>;
  readonly disputes: Record<string, Dispute>;
  /** Event names of the meters that it reads. */
  readonly meters: Set<string>;
  /** What they have read, by its identifier. */
  readonly uses: Record<string, MeterEvent>;
  /** What was told, or would have been. */
  readonly events: ProcessorEvent[];
  /** The status that the next refunds have. */
  refundStatus: Refund['status'];
}

export function newBooks(): Books {
  return {
    tokens: {},
    intents: {},
    refunds: {},
    disputes: {},
    meters: new Set(),
    uses: {},
    events: [],
    refundStatus: 'succeeded',
  };
}

/** Something that the processor does not do. */
export class Refused extends Error {
  readonly status: number;
  readonly told: object;

  constructor(status: number, type: string, told: object) {
    super(type);
    this.status = status;
    this.told = { type, message: 'a message of the processor', ...told };
  }
}
