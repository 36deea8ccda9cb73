import { randomInt } from 'node:crypto';
import {
  type MeasureOptions,
  measureEvents,
  measureIdentity,
  measurePostgres,
  measureSqlite,
} from './measure.ts';
import { tableHead, tableRow, tableSum } from './table.ts';

/**
 * `npm run reliability -- [ROUNDS [SEED [PART]]]`: prints what so many kills for each part have shown;
 * the parts are `sqlite`, `postgres` and `events`; `identity`, claims and tokens
 * over both databases, runs only where it is named.
 */
const [rounds = '240', seed = String(randomInt(2 ** 32)), only = ''] = process.argv.slice(2);
const options: MeasureOptions = {
  rounds: wholeNumber(rounds),
  seed: wholeNumber(seed),
  tell: (figures) => console.log(tableRow(figures)),
};
console.log(`seed ${options.seed}\n\n${tableHead}`);
const parts = { sqlite: measureSqlite, postgres: measurePostgres, events: measureEvents };
const named = { ...parts, identity: measureIdentity };
for (const [part, measure] of Object.entries(only === '' ? parts : named)) {
  if (only !== '' && only !== part) continue;
  const all = await measure(options);
  console.log(`${tableSum(all)}\n`);
  for (const problem of all.flatMap(({ problems }) => problems)) {
    console.log(problem);
    process.exitCode = 1;
  }
}

function wholeNumber(text: string): number {
  if (/^\d{1,10}$/.test(text)) return Number(text);
  throw new Error(`expected a whole number, found ${JSON.stringify(text)}`);
}
