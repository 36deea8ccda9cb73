import { hash } from 'node:crypto';
import type { Pool } from 'undici';
import { ToolError } from '#contract/errors';
import type { Provider, ProviderRetry } from '#contract/provider';
import type { SchemaCompiler } from '../../admission/steps/schema-compiler.ts';
import type { Remembered } from '../../process/remembered.ts';
import type { AnswerRoom, AnswerShare } from '../call/answer-room.ts';
import type { Clock } from '../call/clock.ts';
import type { OutboundLimits, OutboundOptions } from '../call/options.ts';
import { defaultRetry } from '../call/retry.ts';
import type { ConnectionPools } from '../connection/connection-pools.ts';
import { isHeaderValue } from '../connection/header-safety.ts';
import { resolveServers, type ServerAddress } from '../connection/server-address.ts';
import { fillTemplate } from '../connection/template.ts';
import { userAgent } from '../connection/user-agent.ts';
import type { MarkdownConverter } from '../content/markdown-converter.ts';
import { type Credential, findCredential } from '../credentials/credential.ts';
import { createMask, createScrub, type Scrub } from '../credentials/scrub.ts';
import type { DigestPool } from '../digest/digest-pool.ts';
import { FairRate } from '../rates/fair-rate.ts';
import { RateGate } from '../rates/rate-gate.ts';

/** What every call to one provider needs, worked out once. */
export interface ProviderLink {
  readonly provider: Provider;
  readonly servers: ReadonlyMap<string, ServerAddress>;
  readonly credential: Credential;
  /** Constant headers and the User-Agent, names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The constant part of the query. */
  readonly query: Readonly<Record<string, string>>;
  readonly retry: ProviderRetry;
  readonly limits: OutboundLimits;
  readonly clock: Clock;
  readonly scrub: Scrub;
  /** Masks the credential in what goes to the model. */
  readonly mask: Scrub;
  /** Tells this provider and credential from all others in the cache. */
  readonly identity: string;
  readonly pool: (origin: string) => Pool;
  readonly gate: (origin: string) => RateGate;
  /** The memory for its large answers. */
  readonly room: AnswerShare;
  /** Reads them. */
  readonly digests: DigestPool;
  readonly toMarkdown: (texts: readonly string[]) => Promise<readonly string[]>;
  /** Compiles the output schemas of its tools. */
  readonly outputs: Remembered<SchemaCompiler>;
  readonly onMisfit: NonNullable<OutboundOptions['onMisfit']>;
}

/** What the providers share. */
export interface LinkParts extends Pick<ProviderLink, 'outputs'> {
  readonly options: OutboundOptions;
  readonly limits: OutboundLimits;
  readonly clock: Clock;
  readonly pools: () => ConnectionPools;
  readonly markdown: MarkdownConverter;
  readonly digests: DigestPool;
  readonly room: AnswerRoom;
}

/**
 * Work out how to reach a provider.
 *
 * @throws ToolError `missing_credential` when a variable that it needs is wrong or not set
 */
export function createProviderLink(provider: Provider, parts: LinkParts): ProviderLink {
  const { options, limits, clock, pools } = parts;
  const override = options.baseUrls.get(provider.id);
  const servers = resolveServers(provider, options.env, override);
  const credential = findCredential(provider, options.env, options.authJson?.[provider.id]);
  return {
    provider,
    servers,
    ...credentialParts(provider, credential, servers, options),
    headers: constantHeaders(provider, options),
    query: constants(provider.query, options),
    retry: { ...defaultRetry, ...provider.retry },
    limits,
    clock,
    pool: (origin) => pools().of(provider, origin),
    gate: createGates(provider, parts, parts.options.tenantsOf?.(provider.id)),
    room: parts.room.share((parts.options.tenantsOf?.(provider.id).length ?? 1) > 1),
    digests: parts.digests,
    toMarkdown: (texts) => parts.markdown.convert(texts),
    outputs: parts.outputs,
    onMisfit: options.onMisfit ?? (() => {}),
  };
}

/** The same way with another credential, which the vendor counts for itself where it counts so. */
export function linkWithCredential(
  base: ProviderLink,
  credential: Credential,
  parts: LinkParts,
): ProviderLink {
  const { provider, servers } = base;
  const countsEach = provider.rate?.scope === 'credential';
  return {
    ...base,
    ...credentialParts(provider, credential, servers, parts.options),
    ...(countsEach && { gate: createGates(provider, parts) }),
  };
}

function credentialParts(
  provider: Provider,
  credential: Credential,
  servers: ProviderLink['servers'],
  { baseUrls }: OutboundOptions,
): Pick<ProviderLink, 'credential' | 'scrub' | 'mask' | 'identity'> {
  const internal = baseUrls.has(provider.id) || provider.selfHosted === true;
  const hosts = internal ? [...servers.values()].map(({ origin }) => new URL(origin).host) : [];
  return {
    credential,
    scrub: createScrub(credential.secrets, hosts),
    mask: createMask(credential.secrets),
    identity: identityOf(provider, credential),
  };
}

/** What tells a provider and its credential from all others; it does not show the credential. */
export function identityOf({ id }: Provider, { secrets }: Credential): string {
  return `${id} ${hash('sha256', secrets.join('\n'), 'base64url')}`;
}

function constantHeaders(provider: Provider, options: OutboundOptions): Record<string, string> {
  const headers: Record<string, string> = { 'user-agent': userAgent(provider, options) };
  for (const [name, value] of Object.entries(constants(provider.headers, options))) {
    if (!isHeaderValue(value)) throw unsendable(provider, name);
    headers[name.toLowerCase()] = value;
  }
  return headers;
}

function unsendable(provider: Provider, header: string): ToolError {
  const source = provider.headers?.[header];
  return new ToolError(
    'missing_credential',
    `the header ${header} of ${provider.title} (${source}) must hold visible ASCII characters only`,
    { provider: provider.id, retryable: false },
  );
}

/** Fill in the variables of constants; one whose variable is not set is left out. */
function constants(
  templates: Readonly<Record<string, string>> | undefined,
  { env, contact }: OutboundOptions,
): Record<string, string> {
  const filled = Object.entries(templates ?? {}).flatMap(([name, template]) => {
    const { text } = fillTemplate(template, { env: { ...env, SERVICE_CONTACT: contact } });
    return text === undefined ? [] : [[name, text] as const];
  });
  return Object.fromEntries(filled);
}

/**
 * One gate for the provider, or one for each of its hosts. Several `tenants` share it fairly; what is
 * counted for one person alone needs none.
 */
function createGates(
  provider: Provider,
  { options, limits, clock }: LinkParts,
  tenants: readonly string[] = [],
): (origin: string) => RateGate {
  const { rate } = provider;
  // Nobody to write to: keep further below what the vendor tolerates.
  const share = provider.contactRequired === true && options.contact === undefined ? 0.5 : 1;
  const requests = (rate?.requests ?? Number.POSITIVE_INFINITY) * share;
  const open = () => {
    const burst = Math.max(1, Math.floor((rate?.burst ?? rate?.requests ?? 1) * share));
    const fair = new FairRate({ requests, perMs: rate?.perMs ?? 1, burst }, tenants, clock);
    const concurrency = rate?.concurrency ?? limits.connections;
    const { rateWaitMs: maxWaitMs, queue } = limits;
    const isShared = tenants.length > 1;
    return new RateGate({ clock, rate: fair, concurrency, maxWaitMs, queue, isShared });
  };
  const gates = new Map<string, RateGate>();
  return (origin) => {
    const key = rate?.scope === 'host' ? origin : '';
    const known = gates.get(key);
    if (known !== undefined) return known;
    const gate = open();
    gates.set(key, gate);
    return gate;
  };
}
