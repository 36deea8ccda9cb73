import { randomInt } from 'node:crypto';
import { type MeasureOptions, measurePostgres, measureSqlite } from './measure.ts';
import { tableHead, tableRow, tableSum } from './table.ts';

/** `npm run reliability -- [ROUNDS [SEED]]`: prints what so many kills for each engine have shown. */
const [rounds = '240', seed = String(randomInt(2 ** 32))] = process.argv.slice(2);
const options: MeasureOptions = {
  rounds: wholeNumber(rounds),
  seed: wholeNumber(seed),
  tell: (figures) => console.log(tableRow(figures)),
};
console.log(`seed ${options.seed}\n\n${tableHead}`);
for (const measure of [measureSqlite, measurePostgres]) {
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
