import type { Caller } from '#contract/caller';
import type { House } from '#contract/house/house';
import { mayUseVendor } from '#contract/tenant/tenants';
import type { CommerceHandlers } from '../../../generated/surfaces/commerce/routes.ts';
import type { Hear } from './card/hear.ts';
import {
  acpDiscovery,
  agentCard,
  catalogue,
  type Described,
  introduction,
  type Previews,
  serverCard,
  ucpProfile,
} from './documents/cards.ts';
import { description } from './documents/description.ts';
import { paymentMethods } from './documents/payment-methods.ts';
import { createCardSigner } from './documents/signed-card.ts';
import { soldIn } from './documents/sold.ts';
import type { Facilitator } from './facilitator/facilitator.ts';
import type { Accepted } from './offers/accepted.ts';
import type { Shopfront } from './shopfront/load-shopfront.ts';
import { didDocument } from './x402/did-web.ts';

type HandlerHouse = Pick<
  House,
  'address' | 'now' | 'scopes' | 'signer' | 'prices' | 'providers' | 'tenants' | 'tools' | 'version'
>;

/** What is paid for here, and the documents about all that is. */
export function createCommerceHandlers(
  house: HandlerHouse,
  accepted: Accepted,
  hear: Hear,
  facilitator: () => Promise<Facilitator>,
  shopfront: Shopfront,
  previews: Previews,
): CommerceHandlers {
  const { version, tenants } = house;
  // Prices change with a new start alone.
  const startedAt = house.now();
  const sign = createCardSigner(house);
  const scopes = Object.fromEntries(
    Object.entries(house.scopes)
      .filter(([, { tier }]) => tier !== 'operator')
      .map(([name, { consent }]) => [name, consent]),
  );
  const describedTo = ({ tenant }: Caller): Described => {
    const own = tenants.find(tenant);
    const address = own?.address ?? house.address;
    const url = (path: string) => address.of(path) ?? path;
    const providers = house.providers.filter(({ id }) => mayUseVendor(own, id));
    return { url, mcpPath: address.mcpPath, version, providers, scopes };
  };
  const paid = async () => {
    return { status: 200 as const, body: { service: 'agent-tool-server', version } };
  };
  const did = async (caller: Caller) => {
    const keys = await house.signer.keys(caller.tenant);
    return didDocument(describedTo(caller).url(''), keys);
  };
  return {
    getProbe: paid,
    getProbeRoot: paid,
    async hearProcessor({ body, parameters, context }) {
      await hear(body, parameters['stripe-signature'], context);
      return { status: 200, body: { received: true } };
    },
    async getSupported() {
      return { status: 200, body: { ...(await facilitator()).supported() } };
    },
    async verifyPayment({ body }) {
      return { status: 200, body: { ...(await (await facilitator()).verify({ ...body })) } };
    },
    async settlePayment({ body, context }) {
      const settled = await (await facilitator()).settle({ ...body }, context);
      return { status: 200, body: { ...settled } };
    },
    async getPayments({ context: { caller } }) {
      const sold = await soldIn(caller.tenant, house);
      // Who else has a plan is for nobody to read.
      const plans = house.prices.spending.plans.filter(
        ({ tenants: of }) => of?.includes(caller.tenant) ?? true,
      );
      return { status: 200, body: paymentMethods(sold, accepted, startedAt, previews, plans) };
    },
    async getPaidResources({ context: { caller } }) {
      const { items } = await soldIn(caller.tenant, house);
      const resources = [...new Set(items.map(({ url }) => url))];
      return { status: 200, body: { version: 1, resources } };
    },
    async getDescription({ context: { caller } }) {
      const sold = await soldIn(caller.tenant, house);
      return { status: 200, body: description(sold, accepted, version) };
    },
    getDidDocument: async ({ context: { caller } }) => ({ status: 200, body: await did(caller) }),
    getTenantDidDocument: async ({ context: { caller } }) => {
      return { status: 200, body: await did(caller) };
    },
    getServerCard: async ({ context: { caller } }) => {
      return { status: 200, body: serverCard(describedTo(caller)) };
    },
    getServerCardAtEndpoint: async ({ context: { caller } }) => {
      return { status: 200, body: serverCard(describedTo(caller)) };
    },
    getCatalogue: async ({ context: { caller } }) => {
      return { status: 200, body: catalogue(describedTo(caller)) };
    },
    getAgentCard: async ({ context: { caller } }) => {
      return {
        status: 200,
        body: await sign(caller.tenant, agentCard(describedTo(caller), previews)),
      };
    },
    ...shopfront.handlers,
    getUcpProfile: async ({ context: { caller } }) => {
      const keys = await house.signer.keys(caller.tenant);
      return { status: 200, body: ucpProfile(describedTo(caller), previews, accepted, keys) };
    },
    getAcpDiscovery: async ({ context: { caller } }) => {
      return { status: 200, body: acpDiscovery(describedTo(caller), previews) };
    },
    getIntroduction: async ({ context: { caller } }) => {
      return { status: 200, body: introduction(describedTo(caller)) };
    },
  };
}
