import { Sandbox } from '../../runtime/sandbox/sandbox.ts';
import { echoHost } from '../runtime/sandbox/try-script.ts';
import { median, type Row } from './row.ts';

const callers = 8;
const rounds = 40;
const signal = new AbortController().signal;

/** A trivial script of one caller, alone and beside others whose scripts never end by themselves. */
export async function scriptSharesBench(hostile: readonly string[]): Promise<Row[]> {
  const sandbox = new Sandbox({ threads: 4, limits: {} });
  try {
    await timesOf(sandbox, rounds / 4);
    const alone = await timesOf(sandbox, rounds);
    let goesOn = true;
    let ended = 0;
    const attacks = Array.from({ length: callers }, async (_, index) => {
      while (goesOn) {
        const code = hostile[index % hostile.length] ?? '';
        await sandbox.run(code, echoHost, signal, `hostile ${index}`);
        ended += 1;
      }
    });
    // By then each of them has held threads for long.
    while (ended < callers) await new Promise((resolve) => setTimeout(resolve, 100));
    const beside = await timesOf(sandbox, rounds);
    goesOn = false;
    await Promise.all(attacks);
    const times = median(beside) / median(alone);
    return [
      {
        what: `a trivial script beside ${callers} callers with hostile ones / alone, median`,
        target: 'at most 3',
        measured: times.toFixed(1),
        met: times <= 3,
        detail: `${median(beside).toFixed(1)} / ${median(alone).toFixed(1)} ms; p99 ${p99(beside).toFixed(0)} / ${p99(alone).toFixed(0)} ms`,
      },
    ];
  } finally {
    await sandbox.close();
  }
}

async function timesOf(sandbox: Sandbox, count: number): Promise<readonly number[]> {
  const times: number[] = [];
  for (let round = 0; round < count; round++) {
    const started = performance.now();
    await sandbox.run('1 + 1', echoHost, signal, 'trivial');
    times.push(performance.now() - started);
    // A caller who sends one after the other without a pause is none with little.
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return times;
}

function p99(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN;
}
