import type { PeerRun } from './peer/run-peer.ts';
import type { VendorRun } from './run-vendor.ts';
import type { Judged } from './verdict/judge.ts';
import { separator } from './verdict/separator.ts';
import { setAside } from './verdict/set-aside.ts';

/** The figures of one description, or of all. */
export interface Figures {
  readonly operations: number;
  readonly tools: number;
  readonly calls: number;
  readonly accepted: number;
  readonly refusedByUs: number;
  readonly refusedByDocument: number;
  readonly setAside: number;
  /** Calls of which an argument did not arrive. */
  readonly lost: number;
  /** Answers that an official client refuses. */
  readonly clientRefuses: number;
  /** Answers that the document describes and that carry a mark of being otherwise, or are not given. */
  readonly notGiven: number;
  readonly unsampled: number;
  /** Tools that page through a list, and those that only give the first page of one. */
  readonly paged: number;
  readonly firstPageOnly: number;
  /** Lists whose second page was asked for, and of which a second page came. */
  readonly followed: number;
  readonly reached: number;
}

/** Count what was judged. */
export function figuresOf(runs: readonly VendorRun[]): Figures {
  const calls = runs.flatMap((run) => run.calls);
  const count = (test: (call: Judged) => boolean) => calls.filter(test).length;
  const sum = (value: (run: VendorRun) => number) =>
    runs.reduce((total, run) => total + value(run), 0);
  return {
    operations: sum((run) => run.operations),
    tools: sum((run) => run.tools),
    calls: calls.length,
    accepted: count(({ outcome }) => outcome === 'accepted'),
    refusedByUs: count(({ outcome }) => outcome === 'refused by us'),
    refusedByDocument: count(({ outcome }) => outcome === 'refused by document'),
    setAside: count(({ outcome }) => outcome === 'set aside'),
    lost: count(({ lost }) => lost.length > 0),
    clientRefuses: count(({ answer }) => answer?.kind === 'client refuses'),
    notGiven: count(({ answer }) => answer?.isRight === true && answer.kind !== 'client refuses'),
    unsampled: sum((run) => run.unsampled.length),
    paged: sum((run) => run.paged),
    firstPageOnly: sum((run) => run.firstPageOnly.length),
    followed: sum((run) => run.followed.length),
    reached: sum((run) => run.followed.filter(({ outcome }) => outcome === 'reached').length),
  };
}

const columns: readonly (readonly [title: string, key: keyof Figures])[] = [
  ['ops', 'operations'],
  ['tools', 'tools'],
  ['calls', 'calls'],
  ['accepted', 'accepted'],
  ['by us', 'refusedByUs'],
  ['by doc', 'refusedByDocument'],
  ['aside', 'setAside'],
  ['lost', 'lost'],
  ['client', 'clientRefuses'],
  ['marked', 'notGiven'],
  ['unsampled', 'unsampled'],
  ['paged', 'paged'],
  ['1st only', 'firstPageOnly'],
  ['followed', 'followed'],
  ['reached', 'reached'],
];

const nameWidth = 44;

/** The heading of the table. */
export function heading(): string {
  return ['description'.padEnd(nameWidth), ...columns.map(([title]) => title.padStart(9))].join(
    ' ',
  );
}

/** One line of the table. */
export function row(name: string, runs: readonly VendorRun[]): string {
  const figures = figuresOf(runs);
  const cells = columns.map(([, key]) => String(figures[key]).padStart(9));
  return [name.slice(0, nameWidth).padEnd(nameWidth), ...cells].join(' ');
}

/** The share of the calls that were accepted, faults of documents and mock left out, in percent. */
export function acceptedShare(runs: readonly VendorRun[]): number {
  const { calls, accepted, setAside } = figuresOf(runs);
  return calls === setAside ? 0 : (100 * accepted) / (calls - setAside);
}

/** The share of accepted calls of a peer on one description, in percent; nothing where it serves none of it. */
export function peerShare({ calls }: PeerRun): number | undefined {
  const judged = calls.filter(({ outcome }) => outcome !== 'set aside');
  const accepted = judged.filter(({ outcome }) => outcome === 'accepted');
  return judged.length === 0 ? undefined : (100 * accepted.length) / judged.length;
}

/** One line that holds a description against its peer: calls that were accepted, and tokens of tools/list. */
export function peerRow(run: VendorRun): string | undefined {
  const { name, peer, tools } = run;
  if (!peer) return undefined;
  const share = peerShare(peer);
  const lost = peer.calls.filter((call) => call.lost.length > 0).length;
  const theirs =
    share === undefined
      ? `serves nothing: ${(peer.failure ?? `${peer.tools} tools`).slice(0, 120)}`
      : `${share.toFixed(1)} % of ${peer.calls.length} calls, ${lost} with lost arguments, ${peer.tools} tools`;
  const ratio = peer.tokens === 0 ? '' : `, tokens ${(peer.ourTokens / peer.tokens).toFixed(2)}`;
  const mark = share !== undefined && share > acceptedShare([run]) ? ' BETTER' : '';
  return `${name}: ours ${acceptedShare([run]).toFixed(1)} % of ${run.calls.length} calls, ${tools} tools; FastMCP ${theirs}${ratio}${mark}`;
}

/** The rules by which calls were set aside, each with the number of its calls. */
export function asides(runs: readonly VendorRun[]): string {
  const calls = runs.flatMap((run) => run.calls).filter(({ outcome }) => outcome === 'set aside');
  return setAside
    .map(
      ({ id, title }) => [calls.filter(({ reason }) => reason === id).length, id, title] as const,
    )
    .filter(([count]) => count > 0)
    .map(([count, id, title]) => `${String(count).padStart(6)}  ${id}: ${title}`)
    .join('\n');
}

const mostCauses = 40;

/** Everything that is wrong, alike causes together, the most frequent first, each with one example. */
export function causes(runs: readonly VendorRun[]): string {
  const found = new Map<string, { count: number; example: string }>();
  const add = (cause: string, example: string) => {
    const known = found.get(cause);
    found.set(cause, { count: (known?.count ?? 0) + 1, example: known?.example ?? example });
  };
  for (const { calls, off, unsampled, failure, name, followed, firstPageOnly } of runs) {
    if (failure !== undefined) add(`failure: ${failure.slice(0, 200)}`, name);
    for (const text of off) add(`switched off: ${text.split(' ', 1)[0]}`, `${name}: ${text}`);
    for (const text of unsampled) add('unsampled', text);
    for (const text of firstPageOnly) add('first page only', `${name}: ${text}`);
    for (const { tool, outcome, reason } of followed) {
      if (outcome !== 'reached') add(`second page ${outcome}`, `${tool} | ${reason.slice(0, 600)}`);
    }
    for (const call of calls) for (const cause of causesOf(call)) add(cause, example(call));
  }
  return [...found]
    .toSorted(([, a], [, b]) => b.count - a.count)
    .slice(0, mostCauses)
    .map(
      ([cause, { count, example: shown }]) =>
        `${String(count).padStart(6)}  ${cause}\n        ${shown}`,
    )
    .join('\n');
}

function causesOf({ outcome, reason = '', lost, answer }: Judged): readonly string[] {
  return [
    ...(outcome === 'accepted' ? [] : [`${outcome}: ${alike(reason)}`]),
    ...(lost.length > 0 ? ['arguments lost'] : []),
    ...(answer
      ? [
          `answer, ${answer.kind}${answer.isRight ? '' : ' (the mock is wrong)'}: ${alike(answer.reason)}`,
        ]
      : []),
  ];
}

/** The reason without what differs from tool to tool. */
function alike(reason: string): string {
  return (
    reason
      .split(separator, 1)[0]
      ?.replace(/"[^"]*"|'[^']*'|\d+/g, '_')
      .slice(0, 110) ?? ''
  );
}

function example({ tool, extent, args, request = '', reason, answer, lost }: Judged): string {
  const parts = [tool, extent, JSON.stringify(args).slice(0, 300), request.slice(0, 200)];
  return [...parts, reason ?? answer?.reason ?? lost.join(' ')].join(' | ').slice(0, 900);
}
