import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { ToolError } from '#contract/errors';
import { faults } from '../upstream/faults.ts';
import { startUpstream } from '../upstream/upstream.ts';
import { bindProvider, callContext, providerIds } from './bound-provider.ts';
import { fixturesOf, specOf } from './fixture.ts';

for (const id of providerIds) {
  suite(`${id}: every fault of the vendor becomes a clear tool error`, async () => {
    const upstream = await startUpstream(specOf(id));
    after(() => upstream.close());

    for (const fault of faults) {
      for (const fixture of fixturesOf(id)) {
        test(`${fault.name}: ${fixture.tool}`, async () => {
          upstream.fault = fault;
          // Anew for each test: a vendor that said "in an hour" is not asked again before.
          const bound = await bindProvider(id, upstream.url, fault.limits);
          const call = bound.tools.get(fixture.tool)?.call(fixture.arguments, callContext());
          const error = await call?.then(
            (result) => assert.fail(`it succeeded with ${JSON.stringify(result).slice(0, 300)}`),
            (reason: unknown) => reason,
          );
          await bound.close();
          assert.ok(error instanceof ToolError, String(error));
          assert.ok(fault.expected.includes(error.code), `${error.code}: ${error.message}`);
          assert.doesNotMatch(error.message, /credential-of|169\.254/);
          assert.equal(error.detail.provider, id);
        });
      }
    }
  });
}
