import type { House } from '#contract/house/house';
import { mostBytes, vendorMs } from '../numbers.ts';
import { basicOf } from './basic.ts';
import { FlowError } from './flow-error.ts';
import type { OAuthWay } from './vendor-flow.ts';

/** The vendor does not know the token any more: nothing is left to do. */
const unknownTo = {
  client: new Set([404, 410, 422]),
  token: new Set([400, 401, 404, 410, 422]),
};

/**
 * Tell a vendor that a token is not needed any more (RFC 7009, or as the vendor has it).
 *
 * @throws FlowError, OutboundError where it has to be told again
 */
export async function revokeToken(
  { flow, client }: OAuthWay,
  outbound: House['outbound'],
  token: string,
): Promise<void> {
  const { revoke } = flow;
  if (!revoke) return;
  const url = revoke.url.replace('{client_id}', encodeURIComponent(client.id));
  const fields = {
    [revoke.parameter]: token,
    ...(revoke.by === 'client' &&
      flow.clientAuth === 'post' &&
      revoke.body === 'form' && { client_id: client.id, client_secret: client.secret }),
  };
  const authorization =
    revoke.by === 'token' ? `Bearer ${token}` : basicOf(flow.clientAuth, client);
  const { status } = await outbound.fetch(url, {
    method: revoke.method,
    headers: {
      ...flow.tokenHeaders,
      authorization,
      accept: 'application/json',
      ...(revoke.body === 'json' && { 'content-type': 'application/json' }),
    },
    ...(revoke.body === 'form' && { form: fields }),
    ...(revoke.body === 'json' && { body: JSON.stringify(fields) }),
    maxBytes: mostBytes,
    timeoutMs: vendorMs,
  });
  const isDone = (status >= 200 && status < 300) || unknownTo[revoke.by].has(status);
  if (!isDone) throw new FlowError('failed', `the vendor answered ${status}`);
}
