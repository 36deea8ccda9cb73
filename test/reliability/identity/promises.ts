import { hash } from 'node:crypto';
import { Agent, type Told } from '../../surfaces/identity/claiming-agent.ts';
import { exchange, prove, refresh, trade } from './asks.ts';

/** What was told of the lives of agents, in its order. */
export type Marks = readonly (readonly string[])[];

/** What of it holds. */
export interface Kept {
  /** Names of what was acknowledged. */
  readonly acknowledged: readonly string[];
  /** Those that hold; what was used a second time is there twice. */
  readonly kept: readonly string[];
}

type Check = (
  base: string,
  words: readonly string[],
  told: Said,
) => Promise<'holds' | 'lost' | 'twice'>;

/** Look-up of what was told. */
interface Said {
  has(kind: string, word: string): boolean;
}

/** What each acknowledgement promises. The order is that in which they are looked at. */
const promises: Readonly<Record<string, Check>> = {
  live: async (base, [token = ''], told) =>
    told.has('ending', token) || (await whoami(base, token)) === 200 ? 'holds' : 'lost',
  dead: async (base, [token = '']) => ((await whoami(base, token)) === 401 ? 'holds' : 'lost'),
  registered: async (base, [claimToken = '']) =>
    [200, 410].includes((await view(base, claimToken)).status) ? 'holds' : 'lost',
  claimed: async (base, [claimToken = '', code = '']) => {
    const { body } = await view(base, claimToken);
    if (body['status'] !== 'claimed') return 'lost';
    return (await new Agent(base).complete(claimToken, code)).status === 200 ? 'twice' : 'holds';
  },
  withdrawn: async (base, [assertion = '']) =>
    worth(await exchange(base, assertion)) ? 'lost' : 'holds',
  ended: async (base, [token = '']) => (worth(await refresh(base, token)) ? 'lost' : 'holds'),
  refreshed: async (base, [old = '', next = ''], told) => {
    if (!told.has('ending', next) && !worth(await refresh(base, next))) return 'lost';
    const again = await refresh(base, old);
    // Its successor was spent, so whoever brings it now has stolen it; else the answer may be lost.
    const isSame = told.has('ending', next) && again.body['refresh_token'] === next;
    return worth(again) && !isSame ? 'twice' : 'holds';
  },
  proven: async (base, [assertion = '']) =>
    worth(await prove(base, assertion)) ? 'twice' : 'holds',
  traded: async (base, [code = '']) => (worth(await trade(base, code)) ? 'twice' : 'holds'),
};

/** What was tried and not answered: it may have been done, once. */
const tries: Readonly<Record<string, { readonly done: string; readonly again: Again }>> = {
  refreshing: { done: 'refreshed', again: refresh },
  proving: { done: 'proven', again: prove },
  trading: { done: 'traded', again: trade },
};

type Again = (base: string, value: string) => Promise<Told>;

/** Look whether a server keeps what was promised, and uses nothing twice. */
export async function checkPromises(base: string, marks: Marks): Promise<Kept> {
  const said = new Set(marks.map(([kind, word]) => `${kind} ${word}`));
  const told: Said = { has: (kind, word) => said.has(`${kind} ${word}`) };
  const acknowledged: string[] = [];
  const kept: string[] = [];
  for (const [kind, check] of Object.entries(promises)) {
    for (const [, ...words] of marks.filter(([name]) => name === kind)) {
      const name = nameOf(kind, words[0] ?? '');
      acknowledged.push(name);
      const found = await check(base, words, told);
      if (found !== 'lost') kept.push(name);
      if (found === 'twice') kept.push(name);
    }
  }
  for (const [kind, { done, again }] of Object.entries(tries)) {
    for (const [, word = ''] of marks.filter(([name]) => name === kind)) {
      if (told.has(done, word)) continue;
      const name = nameOf(kind, word);
      const first = await again(base, word);
      const second = await again(base, word);
      acknowledged.push(name);
      kept.push(name);
      if (areTwo(first, second)) kept.push(name);
    }
  }
  return { acknowledged, kept };
}

/** What a server must not have forgotten when it is killed once more. */
export function lasting(marks: Marks): Marks {
  const kinds = ['dead', 'withdrawn', 'ended', 'proven', 'traded'];
  return marks.filter(([kind]) => kinds.includes(kind ?? ''));
}

/** Who lost an answer gets it again within half a minute; two different ones are two uses. */
function areTwo(first: Told, second: Told): boolean {
  if (!worth(first) || !worth(second)) return false;
  const { refresh_token: one } = first.body;
  return one === undefined || one !== second.body['refresh_token'];
}

function worth({ status, body }: Told): boolean {
  if (status === 429 || status >= 500) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return status === 200;
}

async function whoami(base: string, token: string): Promise<number> {
  const told = await new Agent(base).whoami(token);
  worth(told);
  return told.status;
}

function view(base: string, claimToken: string): Promise<Told> {
  return new Agent(base).view(claimToken);
}

/** Nothing secret in what is printed. */
function nameOf(kind: string, word: string): string {
  return `${kind}:${hash('sha256', word, 'base64url').slice(0, 12)}`;
}
