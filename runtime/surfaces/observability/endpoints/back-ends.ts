import type { BackEnds, StrangerAnswer, StrangerRequest } from '#contract/house/outbound';
import { OutboundError } from '#contract/house/outbound';
import type { ProviderEntry } from '../registry/provider-entry.ts';
import { concealCredential } from './conceal-credential.ts';
import { headerWith, readSecret, type SecretRules, secretsOf, strangeFiles } from './secrets.ts';

/** What is asked of a back end. */
export interface ProviderRequest extends Omit<StrangerRequest, 'accept'> {
  /** Path with query, put behind the base. */
  readonly path: string;
  /** Another base URL than its endpoint. */
  readonly base?: string;
}

/** The way to registered back ends: with their credentials, and by the rules of the operator. */
export interface ProviderClient {
  /**
   * @throws OutboundError where no answer came; its message is for the log and for operators
   */
  fetch(
    entry: Pick<ProviderEntry, 'tenant' | 'endpoint' | 'auth' | 'tls'>,
    request: ProviderRequest,
  ): Promise<StrangerAnswer>;
}

export function createProviderClient(
  backEnds: BackEnds,
  rules: SecretRules,
  secretOf: (variable: string) => string | undefined,
): ProviderClient {
  return {
    async fetch({ tenant, endpoint, auth, tls }, { path, base = endpoint, headers, ...request }) {
      const own = secretsOf(rules, tenant);
      const credential = await credentialOf(() => {
        // What was registered before the rules were what they are is not sent either.
        if (strangeFiles(tls, own).length > 0) throw new Error('its files of TLS are not its own');
        return readSecret(auth, own, secretOf);
      });
      const answer = await backEnds.fetch(`${base}${path}`, {
        ...request,
        tls,
        headers: {
          ...{ accept: 'application/json', ...headers },
          ...(credential !== undefined && headerWith(auth, credential)),
        },
      });
      if (credential === undefined) return answer;
      return { ...answer, body: concealCredential(answer.body, auth.type, credential) };
    },
  };
}

/** Without its credential, a back end is as good as not there. */
async function credentialOf<Value>(read: () => Promise<Value>): Promise<Value> {
  try {
    return await read();
  } catch (error) {
    // The message of the file system names a path, and the value is in none of them.
    const isOurs = error instanceof Error && !('code' in error);
    const message = isOurs ? error.message : 'the credential cannot be read';
    throw new OutboundError('no_credential', message, error);
  }
}
