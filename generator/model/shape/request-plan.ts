import type { Json } from '#contract/json';

/** A helper of the contract that turns a value into its form on the wire. */
export type Helper =
  | 'asText'
  | 'continued'
  | 'csv'
  | 'cursorNumber'
  | 'dateTime'
  | 'deep'
  | 'digits'
  | 'digitsText'
  | 'exploded'
  | 'jsonText'
  | 'label'
  | 'matrix'
  | 'offset'
  | 'others'
  | 'pageNumber'
  | 'piped'
  | 'segments'
  | 'simple'
  | 'spaced'
  | 'typedPart';

/** An expression of the request builder. */
export type Value =
  | { readonly kind: 'constant'; readonly value: Json }
  | { readonly kind: 'argument'; readonly name: string }
  | {
      readonly kind: 'call';
      readonly helper: Helper;
      /** Constants that stand before and after the value. */
      readonly before?: readonly Json[];
      readonly value: Value;
      readonly after?: readonly Json[];
    }
  | { readonly kind: 'object'; readonly fields: readonly Field[] };

/** A member of an object that the builder makes; a spread has no name. */
export type Field = { readonly name: string; readonly value: Value } | { readonly spread: Value };

export type PathPart = { readonly text: string } | { readonly value: Value };

/** How the request body is written. */
export type BodyPlan =
  | {
      readonly kind: 'json' | 'form' | 'multipart';
      readonly value: Value;
      /** Where it is not the usual one of its kind. */
      readonly contentType?: string;
      /** The body is left out when none of its members is there. */
      readonly optional: boolean;
    }
  | { readonly kind: 'raw'; readonly value: Value; readonly contentType: string }
  | {
      readonly kind: 'graphql';
      readonly document: string;
      /** Name of the constant that holds the document. */
      readonly constant: string;
      readonly variables: Value;
    };

/** How a tool turns its arguments into one request. */
export interface RequestPlan {
  readonly method: string;
  readonly path: readonly PathPart[];
  readonly server?: string;
  readonly query: readonly Field[];
  readonly headers: readonly Field[];
  readonly body?: BodyPlan;
  readonly continueAt?: Value;
}
