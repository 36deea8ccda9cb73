import { Client, errors } from 'undici';
import { ToolError } from '#contract/errors';
import {
  OutboundError,
  type OutboundFault,
  type StrangerAnswer,
  type StrangerRequest,
} from '#contract/house/outbound';
import { CallLife } from '../call/call-life.ts';
import { systemClock } from '../call/clock.ts';
import { acceptedEncodings } from '../call/decompress.ts';
import { type Answer, exchange } from '../call/exchange.ts';
import { defaultLimits } from '../call/options.ts';
import { type AddressGuard, createAddressGuard } from '../connection/address-guard.ts';
import { guardedConnector, RefusedAddressError } from '../connection/guarded-connector.ts';
import { parseStrangerUrl } from './stranger-url.ts';

const defaultTimeoutMs = 5000;
const loopback = ['127.0.0.0/8', '::1/128'];

export interface StrangerOptions {
  readonly version: string;
  /** CIDRs that the address check lets through (`SERVICE_OUTBOUND_ALLOW`). */
  readonly allow: readonly string[];
  /** Whether this very machine may be reached, also without TLS (`SERVICE_ALLOW_INSECURE_FETCH`). */
  readonly allowsInsecure: boolean;
}

export type StrangerFetch = (url: string, request: StrangerRequest) => Promise<StrangerAnswer>;

/**
 * Make what sends a request to a stranger. Each goes over a connection of its own, so that strangers
 * cannot make this server keep any.
 */
export function createStrangerFetch(options: StrangerOptions): StrangerFetch {
  const { allow, allowsInsecure } = options;
  const guard = createAddressGuard(allowsInsecure ? [...allow, ...loopback] : allow, false);
  // Without TLS nobody vouches for the name, so nothing but this machine is reached by it.
  const localGuard = onlyLoopback();
  return async (text, request) => {
    const url = parseStrangerUrl(text, allowsInsecure);
    const permits = url.protocol === 'http:' ? localGuard : guard;
    const client = new Client(url.origin, {
      connect: guardedConnector(permits, defaultLimits.connectTimeoutMs),
      maxHeaderSize: defaultLimits.headerBytes,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const signal = request.signal ?? new AbortController().signal;
    const life = new CallLife(
      { call: { signal } },
      request.timeoutMs ?? defaultTimeoutMs,
      systemClock,
    );
    try {
      const wire = wireRequest(url, request, options.version);
      return answerOf(await exchange(client, wire, { life, maxBytes: request.maxBytes }));
    } catch (error) {
      throw faultOf(error);
    } finally {
      life.close();
      // Not waited for: what is left of it is nobody's business.
      client.destroy().catch(() => {});
    }
  };
}

function onlyLoopback(): AddressGuard {
  const permits = createAddressGuard(loopback, false);
  const isPublic = createAddressGuard([], false);
  return (address) => permits(address) && !isPublic(address);
}

/** What goes over the wire for a request. */
export function wireRequest(url: URL, request: StrangerRequest, version: string) {
  const { form, accept, body = null } = request;
  const headers: Record<string, string> = {
    'user-agent': `agent-tool-server/${version}`,
    'accept-encoding': acceptedEncodings,
    ...(accept !== undefined && { accept }),
    ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
    ...request.headers,
  };
  return {
    method: request.method ?? (form || body !== null ? 'POST' : 'GET'),
    path: url.pathname + url.search,
    headers: Object.entries(headers).flat(),
    body: form ? new URLSearchParams(form).toString() : bodyOf(body),
  };
}

function bodyOf(body: string | Uint8Array | null): string | Buffer | null {
  return body instanceof Uint8Array ? Buffer.from(body) : body;
}

/**
 * What came, as its reader gets it: whole.
 *
 * @throws OutboundError `too_large` where only its beginning came
 */
export function answerOf({ status, headers, body, cut }: Answer): StrangerAnswer {
  if (cut !== undefined) throw new OutboundError('too_large', cut);
  const joined: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) joined[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return { status, headers: joined, body };
}

/** Why nothing came. */
export function faultOf(error: unknown): OutboundError {
  if (error instanceof OutboundError) return error;
  if (error instanceof RefusedAddressError) {
    return new OutboundError('refused', error.message, error);
  }
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof ToolError) {
    return new OutboundError(toolFaults[error.code] ?? 'unusable', message, error);
  }
  const isTooLarge = error instanceof errors.HeadersOverflowError;
  return new OutboundError(isTooLarge ? 'too_large' : 'unreachable', message, error);
}

const toolFaults: Readonly<Record<string, OutboundFault>> = {
  upstream_timeout: 'timeout',
  response_too_large: 'too_large',
};
