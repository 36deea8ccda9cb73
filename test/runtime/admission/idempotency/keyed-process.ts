import { openWork } from './keyed-work.ts';

// Does one call after the other until somebody kills it, and says when each begins and has acted.
const [, , dataDir = '', file = '', first = '0'] = process.argv;
const say = (number: unknown) => process.stdout.write(`${number}\n`);
const { call } = await openWork(dataDir, file, { acted: say });
for (let number = Number(first); ; number += 1) {
  say(number);
  await call(number);
}
