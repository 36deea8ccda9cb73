import type { Json } from '#contract/json';
import type { Converted } from '../../schema/tool-schema.ts';
import type { Value } from '../../shape/request-plan.ts';
import type { ToolInput } from './tool-input.ts';

/** An argument of a tool before it has a name inside the request builder. */
export interface ToolArgument {
  readonly name: string;
  readonly converted: Converted;
  readonly required: boolean;
  readonly default?: Json;
  /** What it fills; absent where the generator made the argument. */
  readonly input?: ToolInput;
  /** Its schema is not the one of the input: it stands for bytes. */
  readonly isFile?: true;
  /** The request builder does not use it. */
  readonly unused?: true;
}

/** An input and what the request sends for it; nothing where there is no value. */
export interface Sent {
  readonly input: ToolInput;
  readonly value?: Value;
}
