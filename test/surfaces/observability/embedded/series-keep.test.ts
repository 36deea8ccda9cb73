import assert from 'node:assert/strict';
import test from 'node:test';
import { SeriesKeep } from '../../../../runtime/surfaces/observability/embedded/keep/series-keep.ts';
import { matcher } from '../../../../runtime/surfaces/observability/embedded/language/matchers.ts';
import { limits } from '../../../../runtime/surfaces/observability/embedded/numbers.ts';

const begin = 1_790_000_000_000;
const samplesOf = (name: string, count: number) =>
  Array.from({ length: count }, (_, place) => ({
    ...{ name, labels: { place: String(place) }, value: place },
  }));
const named = (keep: SeriesKeep, name: string) => keep.select([matcher('__name__', '=', name)]);

test('series of a process that has ended make room for those that are there', () => {
  const keep = new SeriesKeep(100);
  keep.add(begin, samplesOf('before_total', limits.series));
  keep.add(begin + 15_000, samplesOf('after_total', 600));
  assert.equal(named(keep, 'after_total').length, 600);
  assert.equal(named(keep, 'before_total').length, limits.series - 600);
  assert.deepEqual([keep.size, keep.left], [limits.series, 0]);
});

test('where all are there still, buckets are left out before what counts them, and counted', () => {
  const keep = new SeriesKeep(100);
  const all = [
    ...samplesOf('took_bucket', limits.series),
    ...samplesOf('took_count', 61),
    ...samplesOf('took_sum', 61),
  ];
  keep.add(begin, all);
  assert.deepEqual([named(keep, 'took_count').length, named(keep, 'took_sum').length], [61, 61]);
  assert.equal(keep.left, 122);
  keep.add(begin + 15_000, all);
  assert.equal(keep.left, 122);
  assert.equal(named(keep, 'took_bucket')[0]?.at(begin + 15_000), 0);
});

test('samples are there for as long as they are kept, and gaps stay gaps', () => {
  const keep = new SeriesKeep(200);
  for (let place = 0; place < 500; place += 1) {
    const isThere = place < 350 || place > 400;
    const samples = isThere ? [{ name: 'heat', labels: {}, value: place }] : [];
    keep.add(begin + place * 15_000, [...samples, { name: 'other', labels: {}, value: 1 }]);
  }
  const [series] = named(keep, 'heat');
  const { values } = series?.between(begin, begin + 500 * 15_000) ?? assert.fail();
  assert.deepEqual(
    values,
    Array.from({ length: 200 }, (_, place) => 300 + place).filter(
      (value) => value < 350 || value > 400,
    ),
  );
});
