import { styleText } from 'node:util';
import { runLegs, type Verdict } from './verdicts.ts';

// `npm run conformance`: the official suite against this server, which it starts by itself.

function row({ scenario, isScored, passed, skipped, problems }: Verdict): string {
  const isGood = problems.length === 0;
  const mark = isGood ? styleText('green', 'ok    ') : styleText('red', 'FAILED');
  const counts = `${passed} passed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
  const lines = problems.map((problem) => `           ${problem.slice(0, 300)}`);
  return [
    `  ${mark}  ${scenario.padEnd(48)}${isScored ? 'scored' : '      '}  ${counts}`,
    ...lines,
  ].join('\n');
}

const all: Verdict[] = [];
for await (const verdicts of runLegs()) {
  all.push(...verdicts);
  process.stdout.write(`\n${verdicts[0]?.leg}\n${verdicts.map(row).join('\n')}\n`);
}

const good = (verdicts: readonly Verdict[]) =>
  `${verdicts.filter(({ problems }) => problems.length === 0).length} of ${verdicts.length}`;
const scored = all.filter(({ isScored }) => isScored);
process.stdout.write(
  `\n${good(all)} scenarios passed; of those that are scored, ${good(scored)}\n`,
);
process.exitCode = all.every(({ problems }) => problems.length === 0) ? 0 : 1;
