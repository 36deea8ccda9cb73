import type { CallContext } from '#contract/caller';
import { ServiceError } from '#contract/errors';
import type { House } from '#contract/house/house';
import { isObject, type JsonObject } from '#contract/json';
import type { CommerceHandlers } from '../../../../generated/surfaces/commerce/routes.ts';
import type { UcpCompleted, UcpItems } from '../../../../generated/surfaces/commerce/types.ts';
import { orderId } from '../acp/session-shape.ts';
import type { Checkout } from '../checkout/checkout.ts';
import type { Wanted } from '../checkout/lines.ts';
import type { Instrument } from '../checkout/pay-session.ts';
import type { SeenSession } from '../checkout/seen-session.ts';
import type { MandateDesk, ShownMandate } from '../mandates/mandate-desk.ts';
import { Incompatible, type Platform, platformOf } from './platform.ts';
import { ucpFailure, ucpSession } from './session-shape.ts';
import { mandateCapability } from './version.ts';

export type UcpHandlers = Pick<
  CommerceHandlers,
  | 'createUcpSession'
  | 'getUcpSession'
  | 'updateUcpSession'
  | 'completeUcpSession'
  | 'cancelUcpSession'
>;

export interface UcpParts {
  readonly checkout: Checkout;
  readonly url: (path: string, context: CallContext) => string;
  /** Absent where no mandates are taken. */
  readonly mandates: MandateDesk | undefined;
  readonly house: Pick<House, 'outbound'>;
}

/** What the payment of a session has to bring along that was begun with mandates. */
export const demandsMandate = 'ap2';

/** Sell uses of tools in checkout sessions (UCP 2026-08-25, shopping, checkout over REST). */
export function createUcpHandlers({ checkout, url, mandates, house }: UcpParts): UcpHandlers {
  const shape = async (session: SeenSession, context: CallContext): Promise<JsonObject> => {
    const address = (path: string) => url(path, context);
    const locks = session.row.demands === demandsMandate ? mandates : undefined;
    const extensions = locks === undefined ? [] : [mandateCapability];
    const plain = ucpSession(session, checkout.offer(session), address, extensions);
    return locks === undefined ? plain : locks.authorized(plain, context);
  };
  const reply = async (session: SeenSession, context: CallContext) => {
    const headers = { 'cache-control': 'no-store' };
    return { status: 200 as const, headers, body: await shape(session, context) };
  };
  /** A business that fits no request says so in a body, not by a status. */
  const begun = async (header: string | undefined, wanted: UcpItems, context: CallContext) => {
    const platform = await platformOf(header, context, house);
    const demands = platform.hasMandates && mandates !== undefined ? demandsMandate : '';
    const session = { platform: platform.profile, demands };
    return checkout.create(wantedOf(wanted), context, session);
  };
  const known = async (header: string | undefined, context: CallContext): Promise<Platform> => {
    return platformOf(header, context, house).catch((error: unknown) => {
      if (!(error instanceof Incompatible)) throw error;
      throw new ServiceError('capabilities_incompatible', 400, incompatible);
    });
  };
  return {
    async createUcpSession({ parameters, body, context }) {
      try {
        const session = await begun(parameters['ucp-agent'], body.line_items, context);
        return { ...(await reply(session, context)), status: 201 };
      } catch (error) {
        const failure = failureOf(error);
        if (failure === undefined) throw error;
        return { status: 200, headers: { 'cache-control': 'no-store' }, body: failure };
      }
    },
    async getUcpSession({ parameters, context }) {
      await known(parameters['ucp-agent'], context);
      return reply(await checkout.find(parameters.id, context), context);
    },
    async updateUcpSession({ parameters, body, context }) {
      await known(parameters['ucp-agent'], context);
      const wanted = wantedOf(body.line_items);
      return reply(await checkout.update(parameters.id, wanted, context), context);
    },
    async completeUcpSession({ parameters, body, context }) {
      await known(parameters['ucp-agent'], context);
      const session = await checkout.find(parameters.id, context);
      const instrument = instrumentOf(body);
      // A call that is taken up again has shown its mandates before.
      const isShown = context.resumes && session.status !== 'open';
      if (session.row.demands === demandsMandate && !isShown) {
        const shown = {
          session,
          shown: await shape(session, context),
          instrument: instrument.rail,
        };
        await requireMandates(mandates, shown, body, context);
      }
      const paid = await checkout.complete(session, instrument, context);
      const answer = await reply(paid, context);
      if (paid.status !== 'completed') return answer;
      const receipt = await mandates?.receipt(paid, orderId(paid.row.id), context);
      if (receipt === undefined) return answer;
      const { ap2 } = answer.body;
      const told = { ...(isObject(ap2) && ap2), checkout_receipt: receipt } as JsonObject;
      return { ...answer, body: { ...answer.body, ap2: told } };
    },
    async cancelUcpSession({ parameters, context }) {
      await known(parameters['ucp-agent'], context);
      return reply(await checkout.cancel(parameters.id, context), context);
    },
  };
}

const incompatible = 'the platform knows nothing of what is sold here';

const unsold: ReadonlySet<string> = new Set(['invalid_item_id', 'items_not_payable_together']);

/** What cannot be sold is no failure of the request. */
function failureOf(error: unknown): JsonObject | undefined {
  if (error instanceof Incompatible) return ucpFailure('capabilities_incompatible', incompatible);
  if (!(error instanceof ServiceError) || !unsold.has(error.code)) return undefined;
  return ucpFailure('item_unavailable', error.message, String(error.detail['param']));
}

/** A session that was begun with mandates ends with them, or not at all. */
async function requireMandates(
  mandates: MandateDesk | undefined,
  shown: Pick<ShownMandate, 'session' | 'shown' | 'instrument'>,
  { ap2, payment }: UcpCompleted,
  context: CallContext,
): Promise<void> {
  const mandate = ap2?.checkout_mandate;
  if (mandates === undefined || mandate === undefined) {
    const message = 'this session was begun with mandates: send ap2.checkout_mandate';
    throw new ServiceError('mandate_required', 400, message);
  }
  const [first] = payment.instruments;
  const credential = first?.credential?.['payment_mandate'];
  const paymentMandate = typeof credential === 'string' ? credential : undefined;
  await mandates.require({ ...shown, mandate, paymentMandate }, context);
}

function wantedOf(items: UcpItems): readonly Wanted[] {
  return items.map(({ item, quantity }, index) => ({
    ...{ id: item.id, quantity },
    param: `$.line_items[${index}].item.id`,
  }));
}

/** @throws ServiceError 400 where nothing here takes it */
function instrumentOf({ payment }: UcpCompleted): Instrument {
  const chosen = payment.instruments.filter(({ selected }) => selected === true);
  const [instrument = payment.instruments[0]] = chosen;
  const { handler_id: handler, credential } = instrument ?? {};
  const { type, token = '' } = credential ?? {};
  if (chosen.length <= 1) {
    if (handler === 'card' && type === 'spt' && /^spt_[A-Za-z0-9_]{1,250}$/.test(token)) {
      return { rail: 'card', token };
    }
    if (handler === 'x402' && type === 'x402' && token !== '') {
      return { rail: 'x402', value: token };
    }
  }
  const message = 'no payment handler of this session takes these instruments';
  const detail = { param: '$.payment.instruments' };
  throw new ServiceError('unsupported_payment_method', 400, message, { detail });
}
