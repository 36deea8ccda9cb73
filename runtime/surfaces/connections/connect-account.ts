import { hash, randomBytes } from 'node:crypto';
import type { ConnectableVendor, ConnectWay } from '#contract/connect/connectable';
import type { ConnectionRow } from '../../../generated/surfaces/connections/tables.ts';
import { type HeldTokens, readTokens, writeTokens } from './credentials/held-tokens.ts';
import type { RenewalParts } from './credentials/renewal.ts';
import { toNote } from './notes.ts';
import { attemptMs } from './numbers.ts';
import { FlowError } from './oauth/flow-error.ts';
import { beginFlow, finishFlow, type OAuthWay } from './oauth/vendor-flow.ts';
import type { AttemptRecords } from './records/attempts.ts';
import type { Owner } from './records/connections.ts';
import { endsGrants, toRevoke } from './to-revoke.ts';

type KeyWay = Extract<ConnectWay, { kind: 'key' }>;

/** What has come back from a vendor, and who has brought it. */
export interface Arrived {
  readonly vendor: ConnectableVendor;
  readonly tenant: string;
  readonly state: string;
  /** The redirect URL with what the vendor has added. */
  readonly arrived: URL;
  /** Hashes of the cookies that the browser has brought along. */
  readonly browsers: readonly string[];
  readonly owners: readonly Owner[];
}

/** What became of it. */
export type Finished = 'connected' | 'declined' | 'failed' | 'foreign' | 'gone';

/** Connects accounts. */
export interface ConnectAccount {
  /** Where to send a browser. */
  begin(
    owner: Owner,
    vendor: ConnectableVendor,
    way: OAuthWay,
    place: { readonly redirectUri: string; readonly browser: string },
  ): Promise<string>;
  finish(arrived: Arrived): Promise<Finished>;
  /** Try a key out and keep it; gives what is wrong with it, for the person. */
  withKey(
    owner: Owner,
    vendor: ConnectableVendor,
    way: KeyWay,
    key: string,
  ): Promise<KeyProblem | undefined>;
}

/** What is wrong with a key, or with the vendor that cannot try it out; `text` is for the person. */
export interface KeyProblem {
  readonly fault: 'key' | 'away';
  readonly text: string;
}

/** Make what connects accounts. */
export function createConnectAccount(
  parts: RenewalParts & { readonly attempts: AttemptRecords },
): ConnectAccount {
  const { attempts, records, sealer, jobs, vendors, log, now } = parts;

  async function keep(
    { tenant, subject }: Owner,
    { id: provider }: ConnectableVendor,
    { kind: way, scheme }: ConnectWay,
    tokens: HeldTokens,
    facts: Pick<ConnectionRow, 'account' | 'scopes' | 'expires_at'>,
  ): Promise<void> {
    const at = now();
    const row: ConnectionRow = {
      ...{ tenant, subject, provider, scheme, way, ...facts },
      ...(await writeTokens(sealer, { tenant, subject, provider }, tokens)),
      id: randomBytes(16).toString('base64url'),
      ...{ state: 'connected', version: 1, lease_until: null, made_at: at, changed_at: at },
    };
    await records.put(row, async (replaced, tx) => {
      if (replaced && (await isForgotten(replaced, tokens))) await toRevoke(jobs, replaced, tx);
      await toNote(parts, { tenant, kind: 'made', subject, provider, way }, tx);
    });
    jobs.wake();
  }

  /** Whether nobody uses any more what a new connection replaces, and telling the vendor ends that alone. */
  async function isForgotten(replaced: ConnectionRow, kept: HeldTokens): Promise<boolean> {
    if (endsGrants(vendors.get(replaced.provider), replaced)) return false;
    try {
      const { access, refresh } = await readTokens(sealer, replaced);
      return access !== kept.access && (refresh === undefined || refresh !== kept.refresh);
    } catch (err) {
      log.warn({ err, provider: replaced.provider }, 'what was connected before cannot be opened');
      return false;
    }
  }

  async function redeem(
    { vendor, arrived, state }: Arrived,
    owner: Owner,
    way: OAuthWay,
    verifier: string,
  ): Promise<Finished> {
    try {
      const tokens = await finishFlow(way, parts, arrived, { state, verifier });
      const { access, refresh, expiresAt, account, scopes } = tokens;
      const facts = { account, scopes, expires_at: expiresAt ?? null };
      await keep(owner, vendor, way, { access, refresh }, facts);
      return 'connected';
    } catch (error) {
      if (!(error instanceof FlowError)) throw error;
      log.warn({ err: error, provider: vendor.id }, 'a person could not connect their account');
      return error.fault === 'foreign' ? 'foreign' : 'failed';
    }
  }

  return {
    async begin({ tenant, subject }, { id: provider }, way, { redirectUri, browser }) {
      const state = randomBytes(24).toString('base64url');
      const { url, verifier } = await beginFlow(way, parts, { redirectUri, state });
      const { sealed } = await sealer.seal({ tenant, subject, provider }, verifier);
      await attempts.insert({
        ...{ tenant, subject, provider, scheme: way.scheme, browser, sealed },
        ...{ hash: hashOf(state), created_at: now(), expires_at: now() + attemptMs, used_at: null },
      });
      return url;
    },
    async finish(given) {
      const { vendor, tenant, state, arrived, browsers, owners } = given;
      const attempt = await attempts.find(tenant, hashOf(state));
      if (!attempt || attempt.provider !== vendor.id) return 'gone';
      // Looked at before it is taken: a stranger who knows the state must not end what another began.
      const owner = owners.find(({ subject }) => subject === attempt.subject);
      if (!owner || !browsers.includes(attempt.browser)) return 'foreign';
      if (!(await attempts.take(tenant, attempt.hash))) return 'gone';
      const ways = vendor.ways.filter((each) => each.kind === 'oauth2');
      const way = ways.find(({ scheme }) => scheme === attempt.scheme);
      if (!way) return 'failed';
      if (arrived.searchParams.get('error') === 'access_denied') return 'declined';
      return redeem(given, owner, way, await sealer.open(attempt, attempt.sealed));
    },
    async withKey(owner, vendor, way, key) {
      const { label, pattern } = way.key;
      if (key === '') return refused(`Paste a ${label}.`);
      if (pattern !== undefined && !new RegExp(`^(?:${pattern})$`).test(key)) {
        return refused(`This is no ${label} of ${vendor.title}: those look otherwise.`);
      }
      const { ok, status, isRefused } = await vendor.tryOut(way.scheme, key);
      if (!ok && !isRefused) {
        const what =
          status === undefined ? 'be reached' : `try the key out (it answered ${status})`;
        return { fault: 'away', text: `${vendor.title} cannot ${what} now. Try again later.` };
      }
      if (!ok) return refused(`${vendor.title} does not take this key (it answered ${status}).`);
      await keep(
        owner,
        vendor,
        way,
        { access: key },
        { account: '', scopes: '', expires_at: null },
      );
      return undefined;
    },
  };
}

function refused(text: string): KeyProblem {
  return { fault: 'key', text };
}

function hashOf(secret: string): string {
  return hash('sha256', secret, 'base64url');
}
