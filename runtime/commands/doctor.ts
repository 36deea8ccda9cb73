import { runChecks } from './checks.ts';
import { type Command, exitCode } from './command.ts';
import { counted } from './counted.ts';
import type { Finding } from './finding.ts';

const marks: Readonly<Record<Finding['kind'], string>> = {
  ok: 'ok     ',
  advice: 'advice ',
  problem: 'problem',
};

/** Check configuration, credentials and vendors, and print what to do about each problem. */
export const doctor: Command = async () => {
  let problems = 0;
  for await (const { kind, text, fix } of runChecks(process.env)) {
    if (kind === 'problem') problems += 1;
    process.stdout.write(`${marks[kind]}  ${text}\n`);
    if (fix !== undefined) process.stdout.write(`         -> ${fix}\n`);
  }
  const count = problems === 0 ? 'no problems' : counted(problems, 'problem');
  process.stdout.write(`${count} found\n`);
  return problems === 0 ? exitCode.success : exitCode.failure;
};
