import type { ConnectWays } from './connect/ways.ts';
import type { JsonPath } from './json.ts';
import type { LazySkill } from './skill.ts';
import type { VendorTool } from './tool.ts';

/** One base address of a vendor. */
export interface ProviderServer {
  readonly id: string;
  /** Base URL without a trailing slash; `{name}` stands for a variable. */
  readonly url: string;
  readonly variables?: Readonly<Record<string, ServerVariable>>;
}

/** A part of a base address that the operator chooses. */
export interface ServerVariable {
  readonly env?: string;
  readonly default?: string;
  readonly enum?: readonly string[];
  /** Regular expression that the whole value must match. */
  readonly pattern?: string;
}

/** How a credential travels. The first scheme whose credential is set is used. */
export type ProviderAuth = { readonly type: 'none' } | ProviderScheme;

/** Where a credential of a scheme comes from. */
interface SchemeSource {
  /** The variables that hold the operator's. */
  readonly env: readonly string[];
  readonly required: boolean;
  /** Keys that the vendor demands together with it; `{env:NAME}` stands for each. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** How people get theirs; absent where they cannot. */
  readonly connect?: ConnectWays;
}

/** A way in which a credential travels. */
export type ProviderScheme = SchemeSource &
  (
    | {
        readonly type: 'api_key';
        readonly in: 'header' | 'query' | 'cookie';
        readonly name: string;
        /** The value on the wire; `{token}` stands for the credential. */
        readonly format: string;
      }
    | { readonly type: 'bearer' }
    | {
        readonly type: 'basic';
        /** What is base64-encoded, for example `{token}:`. */
        readonly format: string;
      }
  );

export interface ProviderRate {
  readonly requests: number;
  readonly perMs: number;
  readonly burst?: number;
  readonly concurrency?: number;
  readonly scope?: 'provider' | 'credential' | 'host';
  readonly remainingHeader?: string;
  readonly limitHeader?: string;
  readonly resetHeader?: string;
  readonly resetKind?: 'epoch_s' | 'epoch_ms' | 'delta_s' | 'delta_ms' | 'iso';
  readonly retryAfter?: boolean;
  readonly costHeader?: string;
}

export interface ProviderRetry {
  readonly statuses: readonly number[];
  readonly max: number;
  readonly baseMs: number;
  readonly capMs: number;
  readonly jitter: 'full' | 'none';
  readonly onlyIdempotent: boolean;
  /** Where a body says how many seconds to wait. */
  readonly atBody?: JsonPath;
}

export interface ProviderErrors {
  readonly message?: JsonPath;
  readonly code?: JsonPath;
  readonly details?: JsonPath;
  /** A failure that comes with a success status. */
  readonly soft?: {
    readonly path: JsonPath;
    /** The value that means failure; absent: any value but null and false does. */
    readonly equals?: unknown;
    readonly message?: JsonPath;
  };
  /** Statuses that mean an empty answer. */
  readonly emptyStatuses?: readonly number[];
}

/** A vendor: where it lives, what it asks for, how it counts and how it fails. */
export interface Provider {
  readonly id: string;
  readonly title: string;
  readonly homepage?: string;
  readonly status: 'stable' | 'beta' | 'deprecated';
  /** The vendor wants to know whom to write to (User-Agent policy). */
  readonly contactRequired?: true;
  /** The operator runs it: private addresses are allowed. */
  readonly selfHosted?: true;
  readonly servers: readonly [ProviderServer, ...ProviderServer[]];
  readonly auth: readonly ProviderAuth[];
  /** What some tools take instead, by the name under which they ask for it. */
  readonly schemes?: Readonly<Record<string, ProviderScheme>>;
  /** The call that shows whether a credential works. */
  readonly verify?: {
    readonly tool?: string;
    readonly method?: string;
    readonly path?: string;
    readonly expect: number;
  };
  /** Constant headers and query parameters; `{env:NAME}` stands for a variable. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly userAgent?: string;
  readonly rate?: ProviderRate;
  readonly retry?: Partial<ProviderRetry>;
  readonly errors?: ProviderErrors;
  /** Each tool by its name, loaded on first use. */
  readonly tools: Readonly<Record<string, () => Promise<VendorTool>>>;
}

/** Check a generated provider. */
export function defineProvider(provider: Provider): Provider {
  return provider;
}

/** What is known of a provider before its module is loaded. */
export interface ProviderEntry {
  readonly title: string;
  readonly presets: readonly string[];
  /** Environment variables that belong to this provider. */
  readonly env: readonly string[];
  readonly load: () => Promise<Provider>;
  /** Where the definitions of its tools are written, a JSON array of `ToolDefinition`. */
  readonly definitions: URL;
  readonly search: () => Promise<readonly SearchDocument[]>;
  readonly skill: LazySkill;
}

/** What a search over tools reads, so that it need not load the tools themselves. */
export interface SearchDocument {
  readonly tool: string;
  readonly title: string;
  /** What the tool is for and when to use it. */
  readonly text: string;
  /** Names of its arguments, each with the words of its description. */
  readonly parameters: string;
  /** It changes something. */
  readonly changes?: true;
  /** It searches for words that it is given. */
  readonly takesWords?: true;
}

/** An argument of one of these names holds words to search for. */
const wordArguments = new Set(['query', 'q', 'search', 'search_query', 'text', 'title', 'term']);

/** What a search document says of a tool besides its words. */
export function searchMarks(
  readOnly: boolean,
  names: readonly string[],
): Pick<SearchDocument, 'changes' | 'takesWords'> {
  const takesWords = readOnly && names.some((name) => wordArguments.has(name));
  return { ...(!readOnly && { changes: true }), ...(takesWords && { takesWords }) };
}
