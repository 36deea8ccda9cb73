import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { Histogram as Reference, Registry } from 'prom-client';
import { Histogram } from '../../../runtime/observe/histogram.ts';
import { Registries } from '../../../runtime/observe/registries.ts';

const buckets = [0.1, 1, 10];
const labelNames = ['tool', 'status'];

test('a histogram is printed as that of prom-client, whatever was observed', async () => {
  const values = fc.oneof(
    fc.constantFrom(0, 0.1, 1, 10, 11),
    fc.double({ min: 0, max: 20, noNaN: true }),
  );
  const series = fc.uniqueArray(
    fc.record({
      tool: fc.constantFrom('acme_export', 'acme "x"', 'a\nb'),
      status: fc.constantFrom('completed', '', 404),
      values: fc.array(values, { maxLength: 8 }),
    }),
    { selector: ({ tool, status }) => `${tool} ${status}`, maxLength: 4 },
  );
  await fc.assert(
    fc.asyncProperty(series, async (all) => {
      const options = { name: 'duration_seconds', help: 'Durations.', buckets };
      const ours = new Histogram(options);
      const register = new Registry();
      const theirs = new Reference({ ...options, labelNames, registers: [register] });
      for (const { tool, status, values } of all) {
        const observe = ours.open({ tool, status });
        theirs.zero({ tool, status });
        for (const value of values) {
          observe(value);
          theirs.observe({ tool, status }, value);
        }
      }
      const registries = new Registries();
      registries.add(ours);
      const { plain, openMetrics } = registries;
      const expected = await register.getSingleMetricAsString('duration_seconds');
      assert.equal(await plain.getSingleMetricAsString('duration_seconds'), expected);
      assert.equal(await openMetrics.getSingleMetricAsString('duration_seconds'), expected);
    }),
    { numRuns: 20 },
  );
});
