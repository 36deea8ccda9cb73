import type { ConfigProblem } from '#contract/config/config';
import { ToolError } from '#contract/errors';
import type { Provider } from '#contract/provider';

/**
 * A setting of a vendor that cannot be used: found at the start, or else told to whoever calls one
 * of its tools. No secret is in it.
 */
export class WrongSetting extends ToolError {
  readonly problem: ConfigProblem;

  constructor({ id }: Provider, message: string, problem: ConfigProblem, cause?: unknown) {
    super('missing_credential', message, { provider: id, retryable: false }, cause);
    this.name = 'WrongSetting';
    this.problem = problem;
  }
}
