import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

/** A vendor that answers when it is told to. */
export async function slowVendor(t: TestContext) {
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  let askedAgain = Promise.withResolvers<void>();
  let count = 0;
  const vendor = createServer(async (_request, response) => {
    response.on('close', left.resolve);
    count += 1;
    asked.resolve();
    askedAgain.resolve();
    await answer.promise;
    response.setHeader('content-type', 'application/json').end('{"id":"X-1"}');
  });
  vendor.listen(0, '127.0.0.1');
  await once(vendor, 'listening');
  t.after(() => {
    vendor.closeAllConnections();
    vendor.close();
  });
  const { port } = vendor.address() as AddressInfo;
  const env = {
    SERVICE_PROVIDER: 'osv',
    SERVICE_PROVIDER_OSV_URL: `http://127.0.0.1:${port}`,
    SERVICE_OUTBOUND_ALLOW: '127.0.0.0/8',
  };
  return {
    env,
    asked: asked.promise,
    answer: () => answer.resolve(),
    left: left.promise,
    /** How often it was asked. */
    count: () => count,
    /** The next time that it is asked. */
    askedAgain() {
      askedAgain = Promise.withResolvers();
      return askedAgain.promise;
    },
  };
}
