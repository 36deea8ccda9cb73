import { ConfigError } from '#contract/config/config';
import type { Outbound } from '#contract/house/outbound';
import type { Config } from '../../../generated/config.ts';
import { version } from '../../process/version.ts';
import type { KeptDocuments } from './kept-documents.ts';
import type { StrangerFetch } from './stranger-fetch.ts';

type Settings = Pick<Config, 'outboundAllow' | 'allowInsecureFetch' | 'nodeEnv'>;

interface Loaded {
  readonly fetch: StrangerFetch;
  readonly documents: KeptDocuments;
}

/**
 * Create the way to servers that strangers name; what it needs is loaded with the first request.
 *
 * @throws ConfigError
 */
export function createStrangers(config: Settings): Outbound {
  requireDevelopment(config);
  let loading: Promise<Loaded> | undefined;
  const load = () => {
    loading ??= loadParts(config);
    return loading;
  };
  return {
    fetch: async (url, request) => (await load()).fetch(url, request),
    document: async (url, rules) => (await load()).documents.document(url, rules),
  };
}

async function loadParts(config: Settings): Promise<Loaded> {
  const [{ createStrangerFetch }, { KeptDocuments }] = await Promise.all([
    import('./stranger-fetch.ts'),
    import('./kept-documents.ts'),
  ]);
  const allowsInsecure = config.allowInsecureFetch;
  const fetch = createStrangerFetch({ version, allow: config.outboundAllow, allowsInsecure });
  return { fetch, documents: new KeptDocuments(fetch) };
}

function requireDevelopment({ allowInsecureFetch, nodeEnv }: Settings): void {
  if (!allowInsecureFetch || nodeEnv !== 'production') return;
  const expected = 'no value where NODE_ENV is production';
  throw new ConfigError([{ variable: 'SERVICE_ALLOW_INSECURE_FETCH', expected }]);
}
