import { hash, randomBytes } from 'node:crypto';
import type { Arrival } from '#contract/arrival';
import type { CallContext } from '#contract/caller';
import type { ConnectableVendor } from '#contract/connect/connectable';
import type { House } from '#contract/house/house';
import type { Page } from '#contract/house/pages';
import { parseCookies } from '#contract/surface/cookies';
import { mayUseVendor } from '#contract/tenant/tenants';
import type { ConnectionsHandlers } from '../../../../generated/surfaces/connections/routes.ts';
import type { ConnectAccount } from '../connect-account.ts';
import type { Disconnect } from '../disconnect.ts';
import { attemptMs } from '../numbers.ts';
import type { ConnectionRecords } from '../records/connections.ts';
import type { Opened, PageOwner, PageOwners } from './page-owners.ts';
import {
  connectPage,
  foreignFormPage,
  formerPage,
  goneFlowPage,
  nobodyPage,
  otherPersonPage,
  overviewPage,
  tellingPage,
  unknownPage,
} from './pages.ts';

export interface PageParts extends Pick<House, 'pages' | 'people' | 'scopes' | 'tenants'> {
  readonly records: ConnectionRecords;
  readonly vendors: ReadonlyMap<string, ConnectableVendor>;
  readonly owners: PageOwners;
  readonly connect: ConnectAccount;
  readonly disconnect: Disconnect;
}

const cookieName = 'connect';

/** A vendor in a tenant. */
interface Place {
  readonly tenant: string;
  readonly id: string;
}

/** The pages on which people connect their accounts. */
export function createPageHandlers(parts: PageParts): ConnectionsHandlers {
  const { pages, people, scopes, records, vendors, owners, connect, disconnect } = parts;
  const addressOf = (tenant: string) => parts.tenants.find(tenant)?.address;
  const vendorOf = (id: string, tenant: string) =>
    mayUseVendor(parts.tenants.find(tenant), id) ? vendors.get(id) : undefined;

  const told = <Status extends number>(status: Status, page: Page, cookie?: string) => {
    const { headers, body } = pages.show(page);
    const all = cookie === undefined ? headers : { ...headers, 'set-cookie': cookie };
    return { status, headers: all, body };
  };
  const elsewhere = (location: string, cookie?: string) => ({
    status: 303 as const,
    headers: { location, 'cache-control': 'no-store', ...(cookie && { 'set-cookie': cookie }) },
  });

  /** Whoever has not signed in is led there and comes back. */
  function refused(opened: 'nobody' | 'other', path: string, tenant: string) {
    if (opened === 'other') return told(403, otherPersonPage);
    const location = people.signInPath(path, tenant);
    return location === undefined ? told(403, nobodyPage) : elsewhere(location);
  }

  async function shown(
    vendor: ConnectableVendor,
    owner: PageOwner,
    { tag, http }: { readonly tag: string | undefined; readonly http: Arrival | undefined },
    problem?: string,
  ): Promise<Page> {
    const sentences = ['read', 'write'].flatMap(
      (kind) => scopes[`provider:${vendor.id}:${kind}`]?.consent ?? [],
    );
    const connection = await records.find(owner, vendor.id);
    const form = pages.form(placeOf(vendor, owner), http);
    return connectPage({
      ...{ vendor, connection, form, tag, sentences, problem },
      name: owner.name,
    });
  }

  /** The vendor and the person of a form, where the form is one of ours. */
  async function posted(
    id: string,
    { token, for: tag }: { readonly token: string; readonly for?: string },
    context: Pick<CallContext, 'caller' | 'http'>,
  ) {
    const vendor = vendorOf(id, context.caller.tenant);
    const owner = await owners.open(context, tag);
    if (!vendor && !(await formerOf(id, owner))) return { refusal: told(404, unknownPage) };
    const isOwn =
      typeof owner === 'object' && pages.accepts(placeOf({ id }, owner), token, context.http);
    return isOwn ? { vendor, owner } : { refusal: told(403, foreignFormPage) };
  }

  /** A vendor that is not offered here any more, where the person still has an account connected. */
  async function formerOf(id: string, owner: Opened) {
    if (typeof owner === 'string') return undefined;
    const connection = await records.find(owner, id);
    return connection && { id, title: vendors.get(id)?.title ?? id, connection };
  }

  /** Binds what comes back from the vendor to the browser that was sent there. */
  function browserCookie(place: Place, value: string, maxAgeMs: number): string {
    const { isSecure = false, basePath = '' } = addressOf(place.tenant) ?? {};
    const secure = isSecure ? '; Secure' : '';
    const seconds = Math.floor(maxAgeMs / 1000);
    return `${cookieName}=${value}; Path=${basePath}/connect/${place.id}; HttpOnly; SameSite=Lax; Max-Age=${seconds}${secure}`;
  }

  return {
    async showConnections({ context }) {
      const [owner] = await owners.all(context);
      if (!owner) return refused('nobody', '/connect', context.caller.tenant);
      const own = await records.list(owner);
      const shownVendors = [...vendors.keys()].flatMap((id) => {
        const vendor = vendorOf(id, owner.tenant);
        return vendor ? [{ vendor, connection: own.find(({ provider }) => provider === id) }] : [];
      });
      const former = own.flatMap(({ provider: id }) =>
        vendorOf(id, owner.tenant) ? [] : [{ id, title: vendors.get(id)?.title ?? id }],
      );
      return told(200, overviewPage(owner.name, shownVendors, former));
    },
    async showConnection({ parameters: { provider, for: tag }, context }) {
      const vendor = vendorOf(provider, context.caller.tenant);
      const owner = await owners.open(context, tag);
      if (!vendor) {
        const former = await formerOf(provider, owner);
        if (!former || typeof owner === 'string') return told(404, unknownPage);
        const form = pages.form(placeOf(former, owner), context.http);
        return told(200, formerPage({ vendor: former, ...former, form, tag, name: owner.name }));
      }
      const query = tag === undefined ? '' : `?for=${encodeURIComponent(tag)}`;
      if (typeof owner === 'string')
        return refused(owner, `/connect/${vendor.id}${query}`, context.caller.tenant);
      return told(200, await shown(vendor, owner, { tag, http: context.http }));
    },
    async beginConnection({ parameters: { provider }, body, context }) {
      const { vendor, owner, refusal } = await posted(provider, body, context);
      if (refusal) return refusal;
      if (!vendor) return told(404, unknownPage);
      const { way: kind, scheme, key = '', for: tag } = body;
      const way = vendor.ways.find((each) => each.kind === kind && each.scheme === scheme);
      const wrong = async (problem: string, status: 400 | 502 = 400) =>
        told(status, await shown(vendor, owner, { tag, http: context.http }, problem));
      if (!way) return wrong('This way to connect is not offered any more.');
      if (way.kind === 'key') {
        const problem = await connect.withKey(owner, vendor, way, key.trim());
        return problem === undefined
          ? elsewhere(`/connect/${vendor.id}${doneQuery(tag)}`)
          : wrong(problem.text, problem.fault === 'away' ? 502 : 400);
      }
      const browser = randomBytes(24).toString('base64url');
      const redirectUri = redirectOf({ tenant: context.caller.tenant, id: vendor.id });
      if (redirectUri === undefined) return wrong('This process serves no pages to come back to.');
      const location = await connect.begin(owner, vendor, way, {
        redirectUri,
        browser: hashOf(browser),
      });
      return elsewhere(
        location,
        browserCookie({ tenant: owner.tenant, id: vendor.id }, browser, attemptMs),
      );
    },
    async endConnection({ parameters: { provider }, body, context }) {
      const { owner, refusal } = await posted(provider, body, context);
      if (refusal) return refusal;
      const { title = provider } = vendors.get(provider) ?? {};
      const gone = await disconnect(owner, provider, 'person');
      return told(200, disconnectedPage(title, vendors.has(provider), gone?.way));
    },
    async finishConnection({ parameters, context }) {
      const { provider, state = '' } = parameters;
      const vendor = vendorOf(provider, context.caller.tenant);
      if (!vendor) return told(404, unknownPage);
      const { caller, http } = context;
      const cookies = parseCookies(String(http?.headers['cookie'] ?? '')).get(cookieName) ?? [];
      const redirectUri = redirectOf({ tenant: context.caller.tenant, id: vendor.id });
      const arrived = URL.parse(`${redirectUri}${http?.url.replace(/^[^?]*/, '') ?? ''}`);
      if (!arrived || !redirectUri) return told(410, goneFlowPage);
      const outcome = await connect.finish({
        ...{ vendor, state, arrived, tenant: caller.tenant },
        browsers: cookies.map(hashOf),
        owners: await owners.all(context),
      });
      const forget = browserCookie({ tenant: caller.tenant, id: vendor.id }, '', 0);
      switch (outcome) {
        case 'gone':
          return told(410, goneFlowPage);
        case 'foreign':
          return told(403, foreignAnswerPage(vendor), forget);
        case 'declined':
          return told(200, declinedPage(vendor), forget);
        case 'failed':
          return told(502, failedPage(vendor), forget);
        case 'connected':
          return told(200, connectedPage(vendor), forget);
      }
    },
  };

  function redirectOf({ tenant, id }: Place): string | undefined {
    return addressOf(tenant)?.of(`/connect/${id}/callback`);
  }
}

function placeOf({ id }: Pick<ConnectableVendor, 'id'>, { formOf: caller }: PageOwner) {
  return { path: `/connect/${id}`, caller };
}

function doneQuery(tag: string | undefined): string {
  return tag === undefined ? '' : `?for=${encodeURIComponent(tag)}`;
}

function hashOf(secret: string): string {
  return hash('sha256', secret, 'base64url');
}

function connectedPage({ title }: ConnectableVendor): Page {
  return tellingPage(
    `Connected`,
    `Your account at ${title} is connected. What your agent was about to do can go on now: go back to it. You can close this page.`,
  );
}

function declinedPage({ title }: ConnectableVendor): Page {
  return tellingPage(
    'Not connected',
    `You have not let this server in at ${title}. Nothing was connected.`,
  );
}

function failedPage({ title }: ConnectableVendor): Page {
  return tellingPage(
    'Not connected',
    `${title} has not finished what was begun. Nothing was connected. Try again; if it stays so, tell the operator of this server.`,
  );
}

function foreignAnswerPage({ title }: ConnectableVendor): Page {
  return tellingPage(
    'Not taken',
    `What came back does not belong to what this browser has begun at ${title}, or comes from somebody else. Nothing was connected.`,
  );
}

function disconnectedPage(
  title: string,
  isOffered: boolean,
  way: 'oauth2' | 'key' | undefined,
): Page {
  const rest: Readonly<Record<string, string>> = {
    oauth2: isOffered
      ? `${title} is told that the token is not needed any more.`
      : `The token is gone here. You can also end it at ${title}, in the settings of your account.`,
    key: `The key itself still works: delete it at ${title}.`,
    none: 'There was nothing to disconnect.',
  };
  return tellingPage(
    'Disconnected',
    `No account of yours at ${title} is connected.`,
    rest[way ?? 'none'] ?? '',
  );
}
