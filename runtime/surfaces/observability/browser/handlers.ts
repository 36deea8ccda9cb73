import { Readable } from 'node:stream';
import type { CallContext } from '#contract/caller';
import type { ObservabilityHandlers } from '../../../../generated/surfaces/observability/routes.ts';
import type { BrowserDesk } from './browser-desk.ts';

/** What the routes for pages in browsers do. */
export function createBrowserRoutes(
  desk: BrowserDesk,
): Pick<ObservabilityHandlers, 'mintTelemetryToken' | 'collectFaro' | 'collectOtlp'> {
  const collect = async (body: AsyncIterable<Uint8Array> | undefined, context: CallContext) => {
    const reply = await desk.collect(context.caller.tenant, requestOf(body, context));
    const headers = Object.fromEntries(reply.headers);
    return { status: 204, headers } as const;
  };
  return {
    async mintTelemetryToken({ body, context }) {
      const headers = { 'cache-control': 'no-store' };
      return { status: 200, headers, body: await desk.mint(body, context) };
    },
    collectFaro: ({ body, context }) => collect(body, context),
    collectOtlp: ({ body, context }) => collect(body, context),
  };
}

/** The request as the gate takes it, at an edge and here. */
function requestOf(body: AsyncIterable<Uint8Array> | undefined, { http }: CallContext): Request {
  const { method = 'POST', url = '/', headers = {} } = http ?? {};
  const names = ['authorization', 'content-type', 'content-length', 'content-encoding', 'origin'];
  const sent = names.flatMap((name): [string, string][] => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value]] : [];
  });
  return new Request(new URL(url, 'http://server'), {
    ...{ method, headers: sent, duplex: 'half' },
    ...(body && { body: Readable.toWeb(Readable.from(body)) as ReadableStream }),
  });
}
