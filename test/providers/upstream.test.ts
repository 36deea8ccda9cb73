import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { startUpstream } from '../upstream/upstream.ts';
import { bindProvider, callContext, providerIds } from './bound-provider.ts';
import { fixturesOf, specOf } from './fixture.ts';

for (const id of providerIds) {
  suite(`${id}: every request satisfies the vendor's own description`, async () => {
    const upstream = await startUpstream(specOf(id));
    const bound = await bindProvider(id, upstream.url);
    after(async () => {
      await bound.close();
      await upstream.close();
    });

    for (const fixture of fixturesOf(id)) {
      test(fixture.tool, async () => {
        upstream.exchanges.length = 0;
        const call = bound.tools.get(fixture.tool)?.call(fixture.arguments, callContext());
        const result = await call?.catch((error: unknown) => assert.fail(String(error)));
        assert.ok(upstream.exchanges.length > 0, 'nothing was sent');
        for (const { method, url, violations } of upstream.exchanges) {
          assert.deepEqual(violations, [], `${method} ${url}`);
        }
        assert.ok(result && !result.isError);
      });
    }
  });
}
