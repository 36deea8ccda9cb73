import { requireChain } from './at-start.ts';
import type { ChainState, ChainWatch } from './chain-watch.ts';
import type { Settler } from './settler.ts';

/** Says whether the node is one of the chain that is paid on. */
export type NodeCheck = () => Promise<boolean>;

/** A node that did not answer at the start may be one of another chain, on which no payment is found. */
export function nodeCheck(rpcUrl: string | undefined, chain: { chainId: number }): NodeCheck {
  let isRight = rpcUrl === undefined;
  return async () => {
    if (isRight || rpcUrl === undefined) return true;
    isRight = (await requireChain(rpcUrl, chain).catch(() => 'wrong')) === 'right';
    return isRight;
  };
}

/** Nothing is sent to a node of which that is not known, and nothing was. */
export function checkedSettler(settler: Settler, isRight: NodeCheck): Settler {
  return {
    async verify(payment) {
      return (await isRight()) ? settler.verify(payment) : 'unexpected_verify_error';
    },
    async reserve(payment) {
      return (await isRight()) ? settler.reserve?.(payment) : () => {};
    },
    async settle(payment, signal) {
      if (await isRight()) return settler.settle(payment, signal);
      return { kind: 'refused', fault: 'unexpected_settle_error' };
    },
  };
}

/** What such a node says of payments is not believed. */
export function checkedWatch(watch: ChainWatch, isRight: NodeCheck): Pick<ChainWatch, 'look'> {
  return {
    async look(payment): Promise<ChainState> {
      if (await isRight()) return watch.look(payment);
      throw new Error('the node does not answer, or is one of another chain');
    },
  };
}
