import { ConfigError } from '#contract/config/config';
import type { BackEndRules, BackEnds, Outbound, SharedOutbound } from '#contract/house/outbound';
import { defaultTenant } from '#contract/tenant/tenants';
import type { Config } from '../../../generated/config.ts';
import { version } from '../../process/version.ts';
import type { KeptDocuments } from './kept-documents.ts';
import type { StrangerFetch } from './stranger-fetch.ts';

type Settings = Pick<Config, 'outboundAllow' | 'allowInsecureFetch' | 'nodeEnv'>;

interface Loaded {
  readonly fetch: StrangerFetch;
  /** Those of a tenant. */
  readonly documents: (tenant: string) => KeptDocuments;
}

/**
 * Create the way to servers that strangers name; what it needs is loaded with the first request.
 *
 * @param isShared whether there are several tenants
 * @throws ConfigError
 */
export function createStrangers(config: Settings, isShared = false): SharedOutbound {
  requireDevelopment(config);
  let loading: Promise<Loaded> | undefined;
  const load = () => {
    loading ??= loadParts(config, isShared);
    return loading;
  };
  const of = (tenant: string): Outbound => ({
    fetch: async (url, request) => (await load()).fetch(url, request),
    document: async (url, rules) => (await load()).documents(tenant).document(url, rules),
  });
  return { ...of(defaultTenant), of, toBackEnds };
}

/** It is loaded with the first request, too. */
function toBackEnds(rules: BackEndRules): BackEnds {
  let loading: Promise<BackEnds> | undefined;
  const load = () => {
    loading ??= import('../back-ends/index.ts').then(({ createBackEnds }) =>
      createBackEnds(rules, version),
    );
    return loading;
  };
  return {
    check: async (url) => (await load()).check(url),
    tlsFaults: async (tls) => (await load()).tlsFaults(tls),
    fetch: async (url, request) => (await load()).fetch(url, request),
    close: async () => (await loading)?.close(),
  };
}

async function loadParts(config: Settings, isShared: boolean): Promise<Loaded> {
  const [{ createStrangerFetch }, { KeptDocuments }, { HostTurns }] = await Promise.all([
    import('./stranger-fetch.ts'),
    import('./kept-documents.ts'),
    import('./host-turns.ts'),
  ]);
  const allowsInsecure = config.allowInsecureFetch;
  const fetch = createStrangerFetch({ version, allow: config.outboundAllow, allowsInsecure });
  const turns = new HostTurns(isShared);
  // As many as there are tenants.
  const kept = new Map<string, KeptDocuments>();
  const documents = (tenant: string) => {
    const own = kept.get(tenant) ?? new KeptDocuments(fetch, turns.of(tenant));
    kept.set(tenant, own);
    return own;
  };
  return { fetch, documents };
}

function requireDevelopment({ allowInsecureFetch, nodeEnv }: Settings): void {
  if (!allowInsecureFetch || nodeEnv !== 'production') return;
  const expected = 'no value where NODE_ENV is production';
  throw new ConfigError([{ variable: 'SERVICE_ALLOW_INSECURE_FETCH', expected }]);
}
