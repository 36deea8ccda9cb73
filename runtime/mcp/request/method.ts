import type { Call } from '../../admission/call.ts';
import type { Outcome } from '../outcome/outcome.ts';
import type { Params } from '../wire/json-rpc.ts';

/** One method of the protocol. It knows no revision, no header and no status code. */
export interface Method {
  /** Say what is wrong with the parameters. */
  check?(params: Params): string | undefined;
  /** The parameter that names what the method acts on. */
  readonly subject?: 'name' | 'uri' | 'taskId';
  /** It is answered by events: the answer comes last. */
  readonly streams?: true;
  run(params: Params, call: Call): Outcome | Promise<Outcome>;
}
