import type { CallContext } from '#contract/caller';
import { ServiceError } from '#contract/errors';
import type { House } from '#contract/house/house';
import type { Operation } from '#contract/operation';
import type { CommerceConfig } from '../../../../generated/surfaces/commerce/config.ts';
import type { CommerceEvents } from '../../../../generated/surfaces/commerce/events.ts';
import {
  type CommerceHandlers,
  commerceRoutes,
} from '../../../../generated/surfaces/commerce/routes.ts';
import { type AcpHandlers, createAcpHandlers } from '../acp/handlers.ts';
import { acpOrder, sessionOf } from '../acp/session-shape.ts';
import { createCheckout } from '../checkout/checkout.ts';
import type { IsLeft } from '../checkout/left.ts';
import { createOrderEvents, type OrderEvents } from '../checkout/order-events.ts';
import { seen } from '../checkout/seen-session.ts';
import type { Sessions } from '../checkout/sessions.ts';
import type { Treasury } from '../engine/treasury.ts';
import { createMandateDesk } from '../mandates/mandate-desk.ts';
import type { ShownMandates } from '../mandates/shown-mandates.ts';
import type { Accepted } from '../offers/accepted.ts';
import { createUcpHandlers, type UcpHandlers } from '../ucp/handlers.ts';

export interface ShopfrontParts {
  readonly config: CommerceConfig;
  readonly accepted: Accepted;
  readonly sessions: Sessions;
  readonly mandates: ShownMandates;
  readonly events: CommerceEvents;
  readonly treasury: () => Promise<Pick<Treasury, 'take' | 'revisit'>>;
  readonly isLeft: IsLeft;
  readonly house: Pick<
    House,
    'tenants' | 'address' | 'prices' | 'now' | 'confirm' | 'tools' | 'jobs' | 'outbound' | 'signer'
  >;
}

/** All that is sold in checkout sessions. */
export interface Shopfront {
  readonly orderEvents: OrderEvents;
  readonly handlers: AcpHandlers & UcpHandlers & Pick<CommerceHandlers, 'getOrder'>;
}

/** Put it together. */
export function loadShopfront({ config, sessions, house, ...parts }: ShopfrontParts): Shopfront {
  const { tenants, address, now } = house;
  const urlIn = (tenant: string, path: string) => {
    return (tenants.find(tenant)?.address ?? address).of(path) ?? `http://localhost${path}`;
  };
  const orderOf = async (row: Parameters<typeof seen>[0]) => {
    const payment = await sessions.payment(row.tenant, row.payment);
    const uses = await sessions.uses(row);
    return acpOrder(seen(row, payment, now()), uses, (path) => urlIn(row.tenant, path));
  };
  const orderEvents = createOrderEvents(config, { sessions, orderOf, house });
  const all = { ...parts, sessions, orderEvents, house };
  const url = (path: string, { caller }: Pick<CallContext, 'caller'>) => urlIn(caller.tenant, path);
  const { mandateIssuers: issuers } = config;
  const desk = { issuers, kept: parts.mandates, events: parts.events, url, house };
  const mandates = issuers.length > 0 ? createMandateDesk(desk) : undefined;
  const ucp = createCheckout('ucp', operationOf('completeUcpSession'), all);
  return {
    orderEvents,
    handlers: {
      ...createAcpHandlers(createCheckout('acp', operationOf('completeAcpSession'), all), url),
      ...createUcpHandlers({ checkout: ucp, url, mandates, house }),
      async getOrder({ parameters: { id }, context: { caller } }) {
        const row = await sessions.find(caller.tenant, caller.subject, sessionOf(id));
        if (row?.state === 'completed') return { status: 200, body: await orderOf(row) };
        throw new ServiceError('not_found', 404, `there is no order ${id}`);
      },
    },
  };
}

function operationOf(name: keyof CommerceHandlers): Operation {
  const found = commerceRoutes.find((route) => route.name === name);
  if (found === undefined) throw new Error(`there is no route ${name}`);
  return found;
}
