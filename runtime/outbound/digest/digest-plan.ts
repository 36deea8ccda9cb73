import { isObject, type JsonPath } from '#contract/json';
import type { Provider } from '#contract/provider';
import type { Paging, ResponseShape, VendorTool } from '#contract/tool';
import type { OutboundLimits } from '../call/options.ts';

/** How the answers of one tool are read and shaped: data alone, which a thread can be given. */
export interface DigestPlan {
  readonly shape: ResponseShape;
  readonly paging: Paging | undefined;
  /** The tool has an argument that continues a list. */
  readonly takesCursor: boolean;
  /** Bytes of the JSON text of a result. */
  readonly maxBytes: number;
  /** A failure that comes with a success status. */
  readonly soft: SoftSign | undefined;
  /** Where an answer says how many seconds to wait. */
  readonly waitAt: JsonPath | undefined;
  /** So much of a text in HTML is read. */
  readonly htmlCharacters: number;
}

export type SoftSign = NonNullable<NonNullable<Provider['errors']>['soft']>;

/** Gather what of a provider and its tool decides about answers. */
export function planOf(
  { errors, retry }: Provider,
  { response = {}, paging, input }: VendorTool,
  limits: Pick<OutboundLimits, 'resultBytes' | 'htmlCharacters'>,
): DigestPlan {
  const properties = input['properties'];
  return {
    shape: response,
    paging,
    takesCursor: isObject(properties) && Object.hasOwn(properties, 'cursor'),
    maxBytes: response.maxBytes ?? limits.resultBytes,
    soft: errors?.soft,
    waitAt: retry?.atBody,
    htmlCharacters: limits.htmlCharacters,
  };
}
