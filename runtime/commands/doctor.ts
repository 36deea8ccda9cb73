import type { Environment } from '#contract/config/config';
import type { Finding } from '#contract/surface/finding';
import { runBusChecks } from './bus/bus-checks.ts';
import { runChecks } from './checks.ts';
import { type Command, exitCode, UsageError } from './command.ts';
import { counted } from './counted.ts';
import { askSurface } from './surface-command.ts';

const marks: Readonly<Record<Finding['kind'], string>> = {
  ok: 'ok     ',
  advice: 'advice ',
  problem: 'problem',
};

/** What can be checked, by the word behind the command. */
const topics: Readonly<Record<string, (env: Environment) => AsyncIterable<Finding>>> = {
  '': runChecks,
  bus: runBusChecks,
  observability: () => runSurfaceChecks('observability'),
  payments: () => runSurfaceChecks('payments'),
};

/** Those of a surface: it knows what is registered and what waits, and the server that runs has it. */
async function* runSurfaceChecks(name: string): AsyncGenerator<Finding> {
  yield* JSON.parse(await askSurface(name, ['doctor'])) as readonly Finding[];
}

/** Check configuration, credentials and vendors, and print what to do about each problem. */
export const doctor: Command = async ([topic = '', ...rest]) => {
  const checks = Object.hasOwn(topics, topic) ? topics[topic] : undefined;
  if (rest.length > 0 || checks === undefined) {
    const message =
      'doctor checks everything, "doctor bus" the event bus, "doctor observability" back ends of telemetry, "doctor payments" payments';
    throw new UsageError(message);
  }
  let problems = 0;
  for await (const { kind, text, fix } of checks(process.env)) {
    if (kind === 'problem') problems += 1;
    process.stdout.write(`${marks[kind]}  ${text}\n`);
    if (fix !== undefined) process.stdout.write(`         -> ${fix}\n`);
  }
  const count = problems === 0 ? 'no problems' : counted(problems, 'problem');
  process.stdout.write(`${count} found\n`);
  return problems === 0 ? exitCode.success : exitCode.failure;
};
