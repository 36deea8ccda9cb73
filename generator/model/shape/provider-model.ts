import type { Json, JsonObject, JsonSchema } from '#contract/json';
import type { Provider } from '#contract/provider';
import type { ToolDefinition, VendorTool } from '#contract/tool';
import type { ValueKinds } from '../schema/value-kinds.ts';
import type { RequestPlan } from './request-plan.ts';

/** Everything that is known of a provider before its files are printed. */
export interface ProviderModel {
  /** Where its specs stand, for example `specs/providers/osv`. */
  readonly folder: string;
  /** What `defineProvider` takes besides the tools. */
  readonly settings: Omit<Provider, 'tools'>;
  /** Name of the constant that holds the provider. */
  readonly exportName: string;
  readonly presets: readonly string[];
  /** Environment variables that belong to the provider, each once. */
  readonly env: readonly string[];
  /** In the order of the curation. */
  readonly tools: readonly ToolModel[];
  /** For the pages about the provider. */
  readonly termsUrl?: string;
  readonly licence?: string;
  readonly categories: readonly string[];
  /** What its skill says besides what follows from the tools. */
  readonly skill?: { readonly description?: string; readonly notes?: readonly string[] };
}

/** One tool: what is said about it, and how its request is made. */
export interface ToolModel {
  readonly definition: ToolDefinition;
  /** What its arguments are held to, where the schema in its definition had to be cut. */
  readonly wholeInput?: JsonSchema;
  readonly purpose: string;
  readonly whenToUse?: string;
  /** The generated file it stands in. */
  readonly resource: string;
  readonly exportName: string;
  /** Name of the type of its arguments; absent where there are none. */
  readonly argumentsType?: string;
  readonly origin: ToolOrigin;
  /** In the order of the schema's properties. */
  readonly arguments: readonly ArgumentModel[];
  readonly request: RequestPlan;
  /** What the runtime needs besides the definition and the request builder. */
  readonly behaviour: Pick<
    VendorTool,
    'auth' | 'response' | 'paging' | 'vendorKey' | 'rateCost' | 'timeoutMs' | 'cache'
  >;
  /** JSON pointer of its entry in the curation. */
  readonly pointer: string;
  readonly examples: readonly { readonly arguments: JsonObject; readonly note?: string }[];
}

/** Where in the description a tool comes from. */
export interface ToolOrigin {
  /** `GET` or, for GraphQL, `query` and the like. */
  readonly method: string;
  /** Path template or the name of the GraphQL operation. */
  readonly path: string;
  /** File and JSON pointer. */
  readonly reference: string;
  /** Absent where the description gives none, and for GraphQL. */
  readonly operationId?: string;
}

/** One argument of a tool. */
export interface ArgumentModel {
  readonly name: string;
  /** Its name inside the request builder; absent where the builder does not use it. */
  readonly local?: string;
  /** What kinds of value it takes. */
  readonly kinds: ValueKinds;
  /** Whether the builder writes it into the address, member by member, or only passes it on. */
  readonly place: 'wire' | 'fields' | 'body';
  readonly required: boolean;
  /** What the builder takes when the caller names nothing. */
  readonly default?: Json;
  /** As it stands in the tool's input schema. */
  readonly schema: JsonSchema;
  readonly description?: string;
}
