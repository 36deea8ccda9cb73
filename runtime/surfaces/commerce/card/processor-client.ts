import type { IncomingMessage } from 'node:http';
import { Stripe } from 'stripe';
import { isObject } from '#contract/json';
import { mostProcessorBytes, processorRetries, processorTimeoutMs } from '../numbers.ts';
import type { CardSettings } from './card-settings.ts';

/** The keys of requests that may have arrived though no answer says what they did. */
export type Unanswered = Pick<Set<string>, 'has' | 'delete'>;

/** Nothing of a request leaves before there is a connection. */
const unsent = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/** Make the client of the processor, and what knows which of its requests may have been done. */
export function processorClient({ secretKey, apiUrl }: Pick<CardSettings, 'secretKey' | 'apiUrl'>) {
  const unanswered = new Set<string>();
  const httpClient = Stripe.createNodeHttpClient();
  const send = httpClient.makeRequest.bind(httpClient);
  // The client tries again by itself, and tells of the last attempt alone.
  httpClient.makeRequest = async (...request) => {
    const headers = request[4] as Readonly<Record<string, unknown>>;
    const key = String(headers['Idempotency-Key'] ?? '');
    try {
      const answer = await send(...request);
      const status = answer.getStatusCode();
      if (key !== '' && (status >= 500 || status === 409)) unanswered.add(key);
      const read = answer.toJSON.bind(answer);
      answer.toJSON = async () => {
        try {
          const raw = answer.getRawResponse() as IncomingMessage;
          return await readWithin(raw, read);
        } catch (error) {
          // Whatever has answered so may stand before a processor that has done it.
          if (key !== '') unanswered.add(key);
          throw error;
        }
      };
      return answer;
    } catch (error) {
      const { code = '' } = error as { readonly code?: string };
      if (key !== '' && !unsent.has(code)) unanswered.add(key);
      throw error;
    }
  };
  const isPlain = apiUrl.protocol === 'http:';
  const client = new Stripe(secretKey, {
    ...{ httpClient, telemetry: false, timeout: processorTimeoutMs },
    maxNetworkRetries: processorRetries,
    host: apiUrl.hostname,
    protocol: isPlain ? 'http' : 'https',
    port: apiUrl.port || (isPlain ? '80' : '443'),
  });
  return { client, unanswered: unanswered as Unanswered };
}

/** Read an answer as the client does, as far as `mostProcessorBytes`. */
async function readWithin(raw: IncomingMessage, read: () => Promise<unknown>): Promise<unknown> {
  let length = 0;
  raw.on('data', (part: string | Buffer) => {
    length += part.length;
    if (length > mostProcessorBytes) raw.destroy(new Error('the processor answers with too much'));
  });
  const answer = await read();
  if (!isObject(answer)) throw new Error('the processor answers with no object');
  return answer;
}
