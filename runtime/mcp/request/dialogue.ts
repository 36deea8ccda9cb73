import { InputRequired, type InputResponses, lackedFor, MissingCapability } from '#contract/client';
import { isObject, type Json } from '#contract/json';
import type { Call } from '../../admission/call.ts';
import type { RequestStates, StateBinding } from '../../admission/confirm/sealed-state.ts';
import { type Outcome, rejected } from '../outcome/outcome.ts';
import { errorCode, type Params } from '../wire/json-rpc.ts';

const mostRounds = 20;

/** What the three methods that may ask have in common (MCP 2026-07-28, multi round-trip requests). */
export class Dialogue {
  readonly #states: RequestStates;

  constructor(states: RequestStates) {
    this.#states = states;
  }

  /** Say what is wrong with the parameters that carry answers. */
  static check({ inputResponses, requestState }: Params): string | undefined {
    if (requestState !== undefined && typeof requestState !== 'string') {
      return '"requestState" must be the string that came with the questions';
    }
    if (inputResponses === undefined) return undefined;
    const isGood = isObject(inputResponses) && Object.values(inputResponses).every(isObject);
    return isGood ? undefined : '"inputResponses" must be an object of objects, by the keys asked';
  }

  /** Give `call` what the client has answered; an outcome says why that cannot be taken. */
  open(binding: () => StateBinding, params: Params, call: Call): Outcome | undefined {
    const { inputResponses, requestState } = params;
    if (inputResponses === undefined && requestState === undefined) return undefined;
    // Checked with the parameters.
    const responses = (inputResponses ?? {}) as InputResponses;
    if (requestState === undefined) {
      call.answers = { responses, round: 0 };
      return undefined;
    }
    const opened = this.#states.open(String(requestState), binding());
    if (opened === undefined || opened.round > mostRounds) {
      const text = '"requestState" is not one that was given for this request, or has expired';
      return rejected(errorCode.invalidParams, text);
    }
    const { round, data, id, expires, approval } = opened;
    call.answers = {
      responses,
      round,
      stateId: id,
      stateExpires: expires,
      ...(data !== undefined && { state: data }),
      ...(approval && { approval }),
    };
    return undefined;
  }

  /** Turn a question into an outcome; every other error is thrown again. */
  outcomeOf(error: unknown, binding: () => StateBinding, { client, answers }: Call): Outcome {
    if (error instanceof MissingCapability) {
      return { kind: 'missingCapability', required: error.required };
    }
    if (!(error instanceof InputRequired)) throw error;
    const { requests, state, approval } = error;
    for (const request of Object.values(requests)) {
      const required = lackedFor(request, client.capabilities);
      if (required) return { kind: 'missingCapability', required, requests };
    }
    const requestState = this.#states.seal(binding(), answers.round + 1, state, approval);
    return { kind: 'inputRequired', requests, requestState };
  }
}

/** What a sealed state of `call` is bound to. */
export function bindingOf(method: string, target: Json, { caller }: Call): StateBinding {
  return { method, tenant: caller.tenant, subject: caller.subject, target };
}
