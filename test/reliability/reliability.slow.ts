import assert from 'node:assert/strict';
import test from 'node:test';
import { measureEvents, measurePostgres, measureSqlite } from './measure.ts';
import { sound } from './sound.ts';
import { tableHead, tableRow, tableSum } from './table.ts';

const rounds = 60;

for (const [engine, measure] of Object.entries({
  SQLite: measureSqlite,
  PostgreSQL: measurePostgres,
  'events of the bus': measureEvents,
})) {
  test(`${engine}: ${rounds} kills at random moments lose nothing, double nothing, and all verifies`, async () => {
    const seed = Date.now();
    console.log(`seed ${seed}\n${tableHead}`);
    const all = await measure({ rounds, seed, tell: (figures) => console.log(tableRow(figures)) });
    console.log(tableSum(all));
    sound(all);
    const kills = all.reduce((sum, figures) => sum + figures.kills, 0);
    assert.ok(kills >= rounds, `${kills} kills`);
  });
}
