import { createHmac } from 'node:crypto';
import { ConfigError } from '#contract/config/config';
import type { House } from '#contract/house/house';
import type { JobRun } from '#contract/house/jobs';
import type { AnyTransaction } from '#contract/house/store';
import { isObject, type JsonObject } from '#contract/json';
import type { CommerceConfig } from '../../../../generated/surfaces/commerce/config.ts';
import type {
  CheckoutSessionRow,
  PaymentRow,
} from '../../../../generated/surfaces/commerce/tables.ts';
import { hookTimeoutMs, mostHookBytes } from '../numbers.ts';
import type { Sessions } from './sessions.ts';

/** Tells an agent platform what becomes of orders (ACP 2026-04-17, webhooks). */
export interface OrderEvents {
  /** Within the transaction that makes the order. */
  created(session: CheckoutSessionRow, tx: AnyTransaction): Promise<void>;
  /** A payment has gone from one state to another: perhaps it is one of an order. */
  moved(payment: PaymentRow): Promise<void>;
  wake(): void;
  /** Tell of one; what fails is told again later. */
  send(run: JobRun): Promise<void>;
}

interface OrderEventParts {
  readonly sessions: Sessions;
  /** An order in the shape of the protocol. */
  readonly orderOf: (session: CheckoutSessionRow) => Promise<JsonObject>;
  readonly house: Pick<House, 'jobs' | 'outbound' | 'now'>;
}

type HookConfig = Pick<CommerceConfig, 'acpWebhookUrl' | 'acpWebhookSecret'>;

const job = 'checkout-order-event';
const told: ReadonlySet<PaymentRow['state']> = new Set(['delivered', 'refunded', 'disputed']);

/**
 * Make what tells of orders; nothing is told where no address is set.
 *
 * @throws ConfigError where one of the settings that belong together is missing
 */
export function createOrderEvents(config: HookConfig, parts: OrderEventParts): OrderEvents {
  const { acpWebhookUrl: url, acpWebhookSecret: secret } = config;
  if ((url === undefined) !== (secret === undefined)) {
    const variable = url === undefined ? 'SERVICE_ACP_WEBHOOK_URL' : 'SERVICE_ACP_WEBHOOK_SECRET';
    const expected = 'both the address that is told of orders, and the secret that signs it';
    throw new ConfigError([{ variable, expected, received: 'nothing' }]);
  }
  const { sessions, orderOf, house } = parts;
  const enqueue = async (
    { tenant, id, protocol }: CheckoutSessionRow,
    type: 'order_create' | 'order_update',
    tx?: AnyTransaction,
  ) => {
    if (url === undefined || protocol !== 'acp') return;
    await house.jobs.enqueue({ name: job, tenant, payload: { session: id, type } }, tx);
  };
  return {
    created: (session, tx) => enqueue(session, 'order_create', tx),
    async moved(payment) {
      if (url === undefined || !told.has(payment.state)) return;
      const session = await sessions.ofPayment(payment);
      if (session !== undefined) await enqueue(session, 'order_update');
    },
    wake: () => house.jobs.wake(),
    async send({ tenant, payload, signal }) {
      const { session: id, type } = isObject(payload) ? payload : {};
      if (url === undefined || secret === undefined || typeof id !== 'string') return;
      const session = await sessions.get({ tenant, id });
      if (session === undefined) return;
      const body = JSON.stringify({ type, data: await orderOf(session) });
      const at = house.now();
      const { status } = await house.outbound.fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'merchant-signature': signatureOf(body, secret, at),
          timestamp: new Date(at).toISOString(),
        },
        ...{ body, maxBytes: mostHookBytes, timeoutMs: hookTimeoutMs, signal },
      });
      if (status >= 300) throw new Error(`the platform answered ${status} to an order event`);
    },
  };
}

/** Sign a body with the time at which it is sent, so that it cannot be sent again later. */
function signatureOf(body: string, secret: string, at: number): string {
  const seconds = Math.floor(at / 1000);
  const mac = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return `t=${seconds},v1=${mac}`;
}
