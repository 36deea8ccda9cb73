import type { CallContext } from '#contract/caller';
import { ServiceError } from '#contract/errors';
import type { CommerceHandlers } from '../../../../generated/surfaces/commerce/routes.ts';
import type { AcpCompleted, AcpItems } from '../../../../generated/surfaces/commerce/types.ts';
import type { Checkout } from '../checkout/checkout.ts';
import type { Wanted } from '../checkout/lines.ts';
import type { Instrument } from '../checkout/pay-session.ts';
import type { SeenSession } from '../checkout/seen-session.ts';
import { acpSession } from './session-shape.ts';
import { requireVersion } from './version.ts';

export type AcpHandlers = Pick<
  CommerceHandlers,
  | 'createAcpSession'
  | 'getAcpSession'
  | 'updateAcpSession'
  | 'completeAcpSession'
  | 'cancelAcpSession'
>;

/** Sell uses of tools in checkout sessions (ACP 2026-04-17, agentic checkout). */
export function createAcpHandlers(
  checkout: Checkout,
  url: (path: string, context: CallContext) => string,
): AcpHandlers {
  const reply = <Status extends 200 | 201>(
    status: Status,
    session: SeenSession,
    context: CallContext,
  ) => {
    const address = (path: string) => url(path, context);
    const body = acpSession(session, checkout.offer(session), address);
    const headers = echoed(context);
    const again = { ...headers, 'idempotent-replayed': 'true' };
    return { status, headers, body, replay: { status, headers: again, body } };
  };
  return {
    async createAcpSession({ parameters, body, context }) {
      requireVersion(parameters['api-version']);
      if (body.currency.toLowerCase() !== 'usd') throw onlyDollars();
      const session = await checkout.create(wantedOf(body.line_items), context);
      return reply(201, session, context);
    },
    async getAcpSession({ parameters, context }) {
      requireVersion(parameters['api-version']);
      const { replay: _, ...told } = reply(
        200,
        await checkout.find(parameters.id, context),
        context,
      );
      return told;
    },
    async updateAcpSession({ parameters, body, context }) {
      requireVersion(parameters['api-version']);
      const { id } = parameters;
      const session =
        body.line_items === undefined
          ? await checkout.find(id, context)
          : await checkout.update(id, wantedOf(body.line_items), context);
      return reply(200, session, context);
    },
    async completeAcpSession({ parameters, body, context }) {
      requireVersion(parameters['api-version']);
      const session = await checkout.find(parameters.id, context);
      const paid = await checkout.complete(session, instrumentOf(body), context);
      return reply(200, paid, context);
    },
    async cancelAcpSession({ parameters, context }) {
      requireVersion(parameters['api-version']);
      return reply(200, await checkout.cancel(parameters.id, context), context);
    },
  };
}

/** Who wants more than one of a thing names it several times, or says how many. */
function wantedOf(items: AcpItems): readonly Wanted[] {
  return items.map(({ id, quantity = 1 }, index) => ({
    ...{ id, quantity },
    param: `$.line_items[${index}].id`,
  }));
}

/** @throws ServiceError 400 where nothing here takes it */
function instrumentOf({ payment_data: data }: AcpCompleted): Instrument {
  const { handler_id: handler, instrument } = data;
  const { type, token } = instrument.credential;
  if (handler === 'card' && type === 'spt' && /^spt_[A-Za-z0-9_]{1,250}$/.test(token)) {
    return { rail: 'card', token };
  }
  if (handler === 'x402' && type === 'x402') return { rail: 'x402', value: token };
  const message = 'no payment handler of this session takes this credential';
  const param = '$.payment_data';
  throw new ServiceError('unsupported_payment_method', 400, message, { detail: { param } });
}

function onlyDollars(): ServiceError {
  const message = 'things are sold in dollars here';
  const detail = { param: '$.currency' };
  return new ServiceError('unsupported_currency', 400, message, { detail });
}

/** What a client finds its request by. */
function echoed({ idempotencyKey, http }: CallContext): Record<string, string> {
  const request = http?.headers['request-id'];
  const headers: Record<string, string> = { 'cache-control': 'no-store' };
  if (typeof idempotencyKey === 'string') headers['idempotency-key'] = idempotencyKey;
  if (typeof request === 'string' && /^[\x21-\x7e]{1,255}$/.test(request)) {
    headers['request-id'] = request;
  }
  return headers;
}
