import { ToolError } from '#contract/errors';
import type { FailureContext } from './vendor-failure.ts';

/** What the codes of Node.js, OpenSSL and undici mean to somebody who only wants an answer. */
const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the name is not in the DNS',
  EAI_AGAIN: 'the DNS does not answer',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was cut',
  EPIPE: 'the connection was cut',
  UND_ERR_SOCKET: 'the connection was cut',
  ETIMEDOUT: 'the connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
  EHOSTUNREACH: 'the network there cannot be reached',
  ENETUNREACH: 'the network there cannot be reached',
};

/** Turn an error of a connection into one that says no more than the caller may know. */
export function connectionFailure(
  error: unknown,
  { provider, repeatable }: Pick<FailureContext, 'provider' | 'repeatable'>,
): ToolError {
  const code = codeOf(error);
  const known = Object.hasOwn(reasons, code) ? reasons[code] : undefined;
  return new ToolError(
    code === 'UND_ERR_HEADERS_OVERFLOW' ? 'response_too_large' : 'upstream_error',
    `${provider.title} could not be reached: ${known ?? reasonOf(code)}`,
    { provider: provider.id, retryable: known !== undefined && repeatable },
    error,
  );
}

function reasonOf(code: string): string {
  if (code === 'REFUSED_ADDRESS') {
    return 'the address is not public; SERVICE_OUTBOUND_ALLOW does not name it';
  }
  if (code === 'UND_ERR_CLOSED' || code === 'UND_ERR_DESTROYED') return 'this server is stopping';
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return 'the head of the answer is too large';
  if (/^(?:CERT|ERR_TLS|ERR_SSL|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME)/.test(code)) {
    return 'the certificate cannot be trusted';
  }
  if (code.startsWith('HPE_')) return 'the answer is not HTTP';
  return 'the connection failed';
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  // A host with several addresses fails with one error for each of them.
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}
