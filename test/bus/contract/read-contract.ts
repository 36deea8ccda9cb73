import assert from 'node:assert/strict';
import test from 'node:test';
import type { BusDriver } from '#contract/bus/driver';
import { type MakeBus, oneDriver, say } from './make-bus.ts';
import { deadLetters, stream } from './streams.ts';

/** What holds for whoever reads a stream, at every driver. */
export function readContract(name: string, make: MakeBus): void {
  test(`${name}: pages follow each other without a gap, by subject, tenant and time`, async (t) => {
    const driver = await oneDriver(make, t);
    for (let index = 0; index < 6; index++) {
      const subject = index % 2 === 0 ? 'test.even' : 'test.odd.more';
      await driver.publish({ subject, tenant: index < 4 ? 'acme' : 'globex', data: `${index}` });
    }
    const all = async (query: object) => {
      const texts: string[] = [];
      for (let from: number | undefined = 1; from !== undefined; ) {
        const page: Awaited<ReturnType<BusDriver['read']>> = await driver.read({
          ...{ stream: 'TEST', limit: 2, fromSequence: from, ...query },
        });
        texts.push(...page.messages.map(({ data }) => data));
        from = page.next;
      }
      return texts.join('');
    };
    assert.equal(await all({}), '012345');
    assert.equal(await all({ filters: ['test.*'] }), '024');
    assert.equal(await all({ filters: ['test.odd.>', 'test.even'] }), '012345');
    assert.equal(await all({ filters: ['test.odd.>'], tenant: 'globex' }), '5');
    assert.equal(await all({ filters: ['test.none'] }), '');
    const { messages } = await driver.read({ stream: 'TEST', limit: 10 });
    const third = messages[2]?.storedAt ?? 0;
    const since = messages.filter(({ storedAt }) => storedAt >= third).map(({ data }) => data);
    assert.equal(await all({ fromTime: third }), since.join(''));
    assert.equal(await all({ fromTime: Date.now() + 3_600_000 }), '');
    assert.equal(await all({ fromTime: Date.parse('9999-12-31T23:59:59Z') }), '');
    assert.equal(await all({ fromTime: Date.parse('0001-01-01T00:00:00Z') }), '012345');
  });

  test(`${name}: whoever follows a stream gets all of it, in order, also what comes later`, async (t) => {
    const [writer, reader] = await make(t, [stream(), deadLetters], 2);
    assert.ok(writer && reader);
    await say(writer, '0');
    const stop = new AbortController();
    const texts: string[] = [];
    for await (const { data } of reader.follow({ stream: 'TEST' }, stop.signal)) {
      texts.push(data);
      if (texts.length === 5) stop.abort();
      else await say(writer, String(texts.length));
    }
    assert.deepEqual(texts, ['0', '1', '2', '3', '4']);
  });
}
