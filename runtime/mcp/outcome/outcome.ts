import type { ClientCapabilities, InputRequests } from '#contract/client';
import type { ServiceError, ToolError } from '#contract/errors';
import type { SchemaProfile } from '#contract/schema-profile';
import type { ToolResult } from '#contract/tool';
import type { ToolPage } from '../../offer/catalogue.ts';
import type { CachePolicy } from '../../offer/page.ts';

/** What came of a request, in terms that every revision can put into its own words. */
export type Outcome =
  | {
      readonly kind: 'complete';
      readonly result: object;
      readonly cache?: CachePolicy;
      /** More of the result's `_meta`. */
      readonly meta?: object;
    }
  /** With the form of schemas that the client takes. */
  | { readonly kind: 'toolPage'; readonly page: ToolPage; readonly profile: SchemaProfile }
  | { readonly kind: 'toolResult'; readonly result: ToolResult }
  | { readonly kind: 'toolError'; readonly error: ToolError }
  /** The client has to answer first; `requestState` goes with its answer. */
  | {
      readonly kind: 'inputRequired';
      readonly requests: InputRequests;
      readonly requestState: string;
    }
  /** The work goes on as a task, which is readable already. */
  | { readonly kind: 'task'; readonly task: object }
  | { readonly kind: 'noResource'; readonly uri: string }
  /** What the transport repeats of the parameters is not what they say. */
  | { readonly kind: 'mismatch'; readonly message: string }
  | {
      readonly kind: 'missingCapability';
      readonly required: ClientCapabilities;
      /** What the client would have been asked. */
      readonly requests?: InputRequests;
    }
  /** Admission let nothing through: the caller, its rights or its pace are the matter. */
  | { readonly kind: 'refused'; readonly error: ServiceError }
  | {
      readonly kind: 'rejected';
      readonly code: number;
      readonly message: string;
      readonly data?: object;
    };

/** A request that is not carried out; the text goes to the client. */
export function rejected(
  code: number,
  message: string,
  data?: object,
): Outcome & { kind: 'rejected' } {
  return { kind: 'rejected', code, message, ...(data && { data }) };
}
