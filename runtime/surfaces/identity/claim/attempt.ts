import { mostWrongCodes } from '../numbers.ts';

/** What is kept of the state of an attempt; that its time is over is told by the clock alone. */
export type AttemptState =
  | 'initiated'
  | 'opened'
  | 'confirmed'
  | 'completed'
  | 'denied'
  | 'superseded'
  | 'locked';

/** One try to have a person claim a registration. */
export interface Attempt {
  readonly state: AttemptState;
  /** Wrong codes so far, of the person and of the agent together. */
  readonly wrong: number;
  /** Who has opened it; empty before. */
  readonly user: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** What somebody does with an attempt. */
export type Act =
  /** A signed-in person, whose address is the one that it is bound to, sees the page. */
  | { readonly kind: 'open' | 'confirm' | 'deny'; readonly user: string }
  /** The person enters the code of the agent, which agrees as well. */
  | { readonly kind: 'enter'; readonly user: string; readonly isRight: boolean }
  /** The agent hands in the code that the person was shown. */
  | { readonly kind: 'hand_in'; readonly isRight: boolean }
  /** A newer attempt takes its place. */
  | { readonly kind: 'supersede' };

/** Why an act changes nothing but, perhaps, the count of wrong codes. */
export type Refusal =
  | 'expired'
  | 'completed'
  | 'denied'
  | 'superseded'
  | 'locked'
  | 'not_confirmed'
  | 'wrong_code'
  | 'other_person';

export interface Outcome {
  readonly attempt: Attempt;
  /** Absent where the act was done. */
  readonly refused?: Refusal;
}

const live: Readonly<Record<AttemptState, boolean>> = {
  initiated: true,
  opened: true,
  confirmed: true,
  completed: false,
  denied: false,
  superseded: false,
  locked: false,
};

/** The state of an attempt now. */
export function stateOf(
  { state, expiresAt }: Pick<Attempt, 'state' | 'expiresAt'>,
  now: number,
): AttemptState | 'expired' {
  return live[state] && expiresAt <= now ? 'expired' : state;
}

/** Whether it can still lead to a claim. */
export function isLive(attempt: Pick<Attempt, 'state' | 'expiresAt'>, now: number): boolean {
  return live[attempt.state] && attempt.expiresAt > now;
}

/**
 * Do something with an attempt. `initiated` becomes `opened`, `confirmed` and `completed`, in this
 * order; what has ended stays as it is. `now` in milliseconds since the epoch.
 */
export function act(attempt: Attempt, deed: Act, now: number): Outcome {
  const state = stateOf(attempt, now);
  switch (state) {
    case 'expired':
    case 'completed':
    case 'denied':
    case 'superseded':
    case 'locked':
      return { attempt, refused: state };
    case 'initiated':
    case 'opened':
    case 'confirmed':
      return actOnLive(attempt, deed);
  }
}

function actOnLive(attempt: Attempt, deed: Act): Outcome {
  if ('user' in deed && attempt.user !== '' && attempt.user !== deed.user) {
    return { attempt, refused: 'other_person' };
  }
  const { state } = attempt;
  switch (deed.kind) {
    case 'open':
      return { attempt: { ...attempt, user: deed.user, state: opened(state) } };
    case 'confirm':
      return { attempt: { ...attempt, user: deed.user, state: 'confirmed' } };
    case 'deny':
      return { attempt: { ...attempt, user: deed.user, state: 'denied' } };
    case 'enter':
      if (!deed.isRight) return wrongCode(attempt);
      return { attempt: { ...attempt, user: deed.user, state: 'completed' } };
    case 'hand_in':
      // Nobody learns whether a code is right before a person has agreed.
      if (state !== 'confirmed') return { attempt, refused: 'not_confirmed' };
      if (!deed.isRight) return wrongCode(attempt);
      return { attempt: { ...attempt, state: 'completed' } };
    case 'supersede':
      return { attempt: { ...attempt, state: 'superseded' } };
  }
}

/** A page that is loaded again takes nothing back. */
function opened(state: AttemptState): AttemptState {
  return state === 'initiated' ? 'opened' : state;
}

function wrongCode(attempt: Attempt): Outcome {
  const wrong = attempt.wrong + 1;
  const state = wrong >= mostWrongCodes ? 'locked' : attempt.state;
  return { attempt: { ...attempt, wrong, state }, refused: 'wrong_code' };
}
