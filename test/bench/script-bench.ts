import { request } from 'undici';
import { mcp } from './http-bench.ts';
import { type Load, run } from './load.ts';
import { median, type Row } from './row.ts';
import { scriptSharesBench } from './script-shares-bench.ts';
import { startFlags, startServer } from './server-process.ts';

const rounds = 200;
const seconds = 5;

/** What computes until it is stopped, what cannot be interrupted, and what eats memory. */
const hostile = [
  'for (;;);',
  'return new Array(2 ** 32 - 1).join("x")',
  'const a = []; for (;;) a.push(new Array(1000).fill(1.5))',
  'const f = () => { Promise.resolve().then(f) }; f(); for (;;) await 1',
];

/** Scripts of `api_run`: how long a trivial one takes, and what others notice of hostile ones. */
export async function scriptBench(): Promise<Row[]> {
  const server = await startServer('scripts', {}, startFlags);
  try {
    const trivial = mcp(server.url, 'tools/call', 'api_run', { code: 'return 1 + 1' });
    const times = await timesOf(trivial);
    const others = mcp(server.url, 'tools/call', 'service_status', {});
    await run(others, 1);
    const quiet = await run(others, seconds);
    const { end, ended } = attack(server.url);
    const loud = await run(others, seconds);
    end();
    const memory = await server.residentMemory();
    return [
      {
        what: '`api_run` of a trivial script, warm, over HTTP',
        target: 'at most 5 ms',
        measured: `${median(times).toFixed(1)} ms`,
        met: median(times) <= 5,
        detail: `p99 ${(times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0).toFixed(1)} ms, one after the other`,
      },
      {
        what: 'p99 of other calls while four hostile scripts run all the time',
        target: 'at most 20 ms',
        measured: `${loud.p99.toFixed(1)} ms`,
        met: loud.p99 <= 20,
        detail: `${quiet.p99.toFixed(1)} ms without them; ${ended()} ended meanwhile; ${memory.toFixed(0)} MB resident`,
      },
      ...(await scriptSharesBench(hostile)),
    ];
  } finally {
    await server.stop();
  }
}

async function timesOf(load: Load): Promise<readonly number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const started = performance.now();
    const answer = await send(load);
    times.push(performance.now() - started);
    if (!answer.includes('"result":2')) throw new Error(`the script gave ${answer}`);
  }
  return times.slice(rounds / 10);
}

/** Send hostile scripts, each again as soon as it has ended. */
function attack(url: string) {
  let goesOn = true;
  let count = 0;
  for (const code of hostile) {
    const load = mcp(url, 'tools/call', 'api_run', { code });
    void (async () => {
      while (goesOn) {
        const answer = await send(load).catch(() => '');
        if (goesOn && !answer.includes('script_failed')) throw new Error(`not stopped: ${answer}`);
        count += 1;
      }
    })();
  }
  return {
    end: () => {
      goesOn = false;
    },
    ended: () => count,
  };
}

async function send({ url, headers, body }: Load): Promise<string> {
  const answer = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  return answer.body.text();
}
