import type { SurfaceCommand } from '#contract/surface/surface-module';
import { timeText } from '../registration/answer.ts';
import { usage } from './development-token.ts';

/** Something that acts at this server, as the terminal shows it. */
export interface ListedAgent {
  readonly id: string;
  readonly status: string;
  /** As it calls itself. */
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** All that is known of it, for `show`. */
  readonly facts: object;
}

/** One kind of what acts at this server. */
export interface ListedAgents {
  /** The newest first. */
  list(limit: number): Promise<readonly ListedAgent[]>;
  find(id: string): Promise<ListedAgent | undefined>;
  /** Take back all that it was given, and write that down; false where that was done before. */
  revoke(id: string): Promise<boolean>;
}

const mostListed = 1000;

/** List, show and revoke what acts at this server: registered agents, and clients that people let in. */
export function agentsCommand(kinds: readonly ListedAgents[]): SurfaceCommand {
  async function find(id: string) {
    for (const kind of kinds) {
      const found = await kind.find(id);
      if (found) return { kind, found };
    }
    throw usage(`there is no agent ${JSON.stringify(id.slice(0, 80))}`);
  }
  async function listed(): Promise<readonly ListedAgent[]> {
    const all = await Promise.all(kinds.map((kind) => kind.list(mostListed)));
    const newest = all.flat().sort((one, other) => other.createdAt - one.createdAt);
    return newest.slice(0, mostListed);
  }
  return async ([action, id, ...rest]) => {
    if (rest.length === 0 && action === 'list' && id === undefined) {
      const all = await listed();
      return all.length === 0 ? 'no agent has registered, and no client was let in' : lines(all);
    }
    if (rest.length === 0 && action === 'show' && id !== undefined) {
      return JSON.stringify((await find(id)).found.facts, null, 2);
    }
    if (rest.length === 0 && action === 'revoke' && id !== undefined) {
      const { kind } = await find(id);
      const was = await kind.revoke(id);
      return was ? `${id} is revoked, with all its tokens` : `${id} was revoked before`;
    }
    throw usage('agents takes one of: list, show ID, revoke ID');
  };
}

function lines(agents: readonly ListedAgent[]): string {
  const width = Math.max(...agents.map(({ id }) => id.length));
  return agents
    .map(({ id, status, createdAt, name }) =>
      [id.padEnd(width), status.padEnd(9), timeText(createdAt), name].join('  '),
    )
    .join('\n');
}
