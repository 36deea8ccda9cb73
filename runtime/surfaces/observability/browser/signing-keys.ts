import { ConfigError } from '#contract/config/config';
import type { BackEnds } from '#contract/house/outbound';
import { isObject, valueAt } from '#contract/json';
import type { ObservabilityConfig } from '../../../../generated/surfaces/observability/config.ts';

/** Keys of tokens: that which signs, and all that are taken. */
export interface SigningKeys {
  readonly signing: Uint8Array;
  readonly accepted: readonly Uint8Array[];
  readonly source: 'env' | 'secretstore' | 'memory';
}

const keepMs = 300_000;
const storeMs = 3000;
const storeBytes = 65_536;
/** RFC 7518 section 3.2: as long as the hash. */
const leastBytes = 32;

type KeyConfig = Pick<
  ObservabilityConfig,
  | 'telemetryKey'
  | 'telemetryPreviousKey'
  | 'telemetryStore'
  | 'telemetryStoreAddress'
  | 'telemetryStoreToken'
  | 'telemetryStoreMount'
  | 'telemetryStorePath'
  | 'telemetryStoreField'
>;

export interface KeyParts {
  readonly backEnds: BackEnds;
  readonly derived: () => Uint8Array;
  readonly now: () => number;
}

/**
 * Where the keys of tokens come from: the secrets store where there is one, the settings, or what only
 * this server knows. Those of the store are kept for five minutes, and longer while it does not answer.
 *
 * @throws ConfigError for a key that is too short
 */
export function createSigningKeys(config: KeyConfig, parts: KeyParts): () => Promise<SigningKeys> {
  const previous = [
    bytesOf('TELEMETRY_JWT_PREVIOUS_KEY', config.telemetryPreviousKey) ?? [],
  ].flat();
  const own = bytesOf('TELEMETRY_JWT_SIGNING_KEY', config.telemetryKey);
  const { telemetryStoreAddress: address, telemetryStoreToken: token } = config;
  if (!config.telemetryStore || address === undefined || token === undefined) {
    let found: SigningKeys | undefined;
    return async () => {
      const signing = own ?? parts.derived();
      const source = own === undefined ? 'memory' : 'env';
      found ??= { signing, accepted: [signing, ...previous], source };
      return found;
    };
  }
  const path = `/v1/${config.telemetryStoreMount}/data/${config.telemetryStorePath}`;
  const url = `${address.replace(/\/$/, '')}${path}`;
  let kept: { readonly keys: SigningKeys; readonly at: number } | undefined;
  return async () => {
    if (kept !== undefined && parts.now() - kept.at < keepMs) return kept.keys;
    try {
      const signing = await readStore(url, token, config.telemetryStoreField, parts.backEnds);
      const isSame = kept !== undefined && Buffer.compare(kept.keys.signing, signing) === 0;
      const former = kept === undefined ? previous : [kept.keys.signing];
      const keys = { signing, accepted: [signing, ...former], source: 'secretstore' } as const;
      kept = { keys: isSame && kept ? kept.keys : keys, at: parts.now() };
    } catch (error) {
      if (kept === undefined) throw error;
      kept = { ...kept, at: parts.now() };
    }
    return kept.keys;
  };
}

async function readStore(
  url: string,
  token: string,
  field: string,
  backEnds: BackEnds,
): Promise<Uint8Array> {
  const { status, body } = await backEnds.fetch(url, {
    ...{ method: 'GET', maxBytes: storeBytes, timeoutMs: storeMs },
    headers: { accept: 'application/json', 'x-vault-token': token },
  });
  const answer: unknown = status === 200 ? JSON.parse(Buffer.from(body).toString()) : undefined;
  const value = isObject(answer) ? valueAt(answer, ['data', 'data', field]) : undefined;
  const key = typeof value === 'string' ? Buffer.from(value) : undefined;
  if (key === undefined || key.length < leastBytes) {
    throw new Error(`the secrets store has no key of ${leastBytes} bytes there (status ${status})`);
  }
  return key;
}

function bytesOf(variable: string, text: string | undefined): Uint8Array | undefined {
  if (text === undefined) return undefined;
  const bytes = Buffer.from(text);
  if (bytes.length >= leastBytes) return bytes;
  const expected = `a key of ${leastBytes} bytes or more`;
  throw new ConfigError([{ variable, expected, received: `${bytes.length} bytes` }]);
}
