import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { CallContext } from '#contract/caller';
import { ServiceError } from '#contract/errors';
import type { House } from '#contract/house/house';
import { routeTarget, toolTarget } from '#contract/payment/target';
import type { Input } from '#contract/surface/admission-parts';
import type { Route } from '#contract/surface/route';
import { defaultTenant } from '#contract/tenant/tenants';
import { budgetsFor, type Hold, plansFor } from '../budgets/rules.ts';
import type { Notarized } from '../x402/notary.ts';
import type { Offer } from './offer.ts';

/** Something that somebody wants to have, and would have to pay for. */
export interface Sale {
  readonly offer: Offer;
  /** What is asked for: `GET /api/v1`, `tool:audit_verify`. */
  readonly target: string;
  /** Its address, as clients see it. */
  readonly url: string;
  /** The host that asks for the payment. */
  readonly realm: string;
  /** SHA-256, in base64url, of what is asked for with all its arguments: a payment is good for that alone. */
  readonly digest: string;
  /** The budgets that a payment for it counts for. */
  readonly budgets: readonly Hold[];
  /** The plans by which it may cost nothing. */
  readonly plans: readonly Hold[];
  /** What the client says it pays with (MPP, `Accept-Payment`), as it came. */
  readonly preference?: string | readonly string[] | undefined;
  /** What is asked for, signed (x402 v2, offer-receipt); absent where nothing signs it. */
  readonly offers?: readonly Notarized[];
}

/** Say what a call would buy. */
export function saleOf(
  offer: Offer,
  input: Input,
  { caller, http }: CallContext,
  { tenants, address, prices, now }: Pick<House, 'tenants' | 'address' | 'prices' | 'now'>,
): Sale {
  const { operation } = offer;
  const isRoute = 'path' in operation && 'method' in operation;
  const route = operation as unknown as Route;
  const target = isRoute ? routeTarget(route) : toolTarget(operation);
  const own = tenants.find(caller.tenant)?.address ?? address;
  const path = isRoute ? route.path : own.mcpPath;
  // Where this process serves no pages, as at a terminal, there is no address to name.
  const url = own.of(path) ?? `http://localhost${path}`;
  const digest = digestOf({ tenant: caller.tenant ?? defaultTenant, target, input });
  const spent = {
    ...{ target, caller, price: offer.price.amount, now: now() },
    address: http?.address,
  };
  return {
    ...{ offer, target, url, realm: new URL(url).hostname, digest },
    preference: http?.headers['accept-payment'],
    ...{ budgets: budgetsFor(prices.spending, spent), plans: plansFor(prices.spending, spent) },
  };
}

/** @throws ServiceError 400 where it has no one form, as a number that is none of JSON */
function digestOf(asked: object): string {
  let text: string | undefined;
  try {
    text = canonicalize(asked);
  } catch {
    text = undefined;
  }
  if (text !== undefined) return createHash('sha256').update(text).digest('base64url');
  throw new ServiceError('invalid_request', 400, 'an argument has a number that JSON cannot say');
}
