import type { KeyConnect, OAuthConnect, OAuthRevoke } from '#contract/connect/ways';
import type { Json, JsonObject, JsonSchema } from '#contract/json';
import type { RawDemands } from '../operation/operation-demands.ts';

/** A curation file that its JSON Schema accepts (specs/schemas/provider-curation.schema.json). */
export interface Curation {
  readonly provider: string;
  readonly title: string;
  readonly homepage?: string;
  readonly terms_url?: string;
  readonly licence?: string;
  readonly categories?: readonly string[];
  readonly preset?: readonly string[];
  readonly status?: 'stable' | 'beta' | 'deprecated';
  readonly contact_required?: boolean;
  readonly self_hosted?: boolean;
  readonly servers: readonly [CuratedServer, ...CuratedServer[]];
  readonly auth: readonly CuratedAuth[];
  readonly verify?: {
    readonly operation?: string;
    readonly method?: string;
    readonly path?: string;
    readonly expect?: number;
  };
  readonly headers?: Texts;
  readonly query?: Texts;
  readonly user_agent?: string;
  readonly rate_limit?: CuratedRate;
  readonly retry?: CuratedRetry;
  readonly pagination?: CuratedPagination;
  readonly errors?: {
    readonly message?: string;
    readonly code?: string;
    readonly details?: string;
    readonly empty_statuses?: readonly number[];
    readonly soft?: { readonly path: string; readonly equals?: Json; readonly message?: string };
  };
  readonly operations: readonly CuratedOperation[];
  readonly skill?: { readonly description?: string; readonly notes?: readonly string[] };
  readonly workflows?: readonly string[];
  readonly tests?: { readonly mock?: 'prism' | 'fixtures' };
}

type Texts = Readonly<Record<string, string>>;

export interface CuratedServer {
  readonly url: string;
  readonly id?: string;
  readonly variables?: Readonly<
    Record<
      string,
      {
        readonly env?: string;
        readonly default?: string;
        readonly enum?: readonly string[];
        readonly pattern?: string;
      }
    >
  >;
}

export interface CuratedAuth {
  readonly id?: string;
  readonly type: string;
  readonly in?: 'header' | 'query' | 'cookie' | 'path';
  readonly name?: string;
  readonly format?: string;
  readonly env?: readonly string[];
  readonly required?: boolean;
  readonly default?: boolean;
  readonly headers?: Texts;
  readonly query?: Texts;
  readonly connect?: {
    readonly oauth2?: CuratedOAuth;
    readonly key?: KeyConnect;
  };
}

export interface CuratedOAuth {
  readonly authorize_url: string;
  readonly token_url: string;
  readonly issuer?: string;
  readonly client_id: string;
  readonly client_secret: string;
  readonly client_auth?: OAuthConnect['clientAuth'];
  readonly pkce?: boolean;
  readonly scopes?: readonly string[];
  readonly scope_parameter?: string;
  readonly scope_separator?: string;
  readonly parameters?: Texts;
  readonly token_body?: OAuthConnect['tokenBody'];
  readonly token_headers?: Texts;
  readonly omit?: readonly string[];
  readonly token_at?: string;
  readonly account_at?: string;
  readonly lifetime?: string;
  readonly revoke?: Pick<OAuthRevoke, 'url'> & Partial<OAuthRevoke>;
}

export interface CuratedRate {
  readonly requests: number;
  readonly per: string;
  readonly burst?: number;
  readonly concurrency?: number;
  readonly scope?: 'provider' | 'credential' | 'host';
  readonly limit_header?: string;
  readonly remaining_header?: string;
  readonly reset_header?: string;
  readonly reset_kind?: 'epoch_s' | 'epoch_ms' | 'delta_s' | 'delta_ms' | 'iso';
  readonly retry_after?: boolean;
  readonly cost_header?: string;
}

export interface CuratedRetry {
  readonly statuses?: readonly number[];
  readonly max?: number;
  readonly base_ms?: number;
  readonly cap_ms?: number;
  readonly jitter?: 'full' | 'none';
  readonly only_idempotent?: boolean;
  readonly at_body?: string;
}

export interface CuratedPagination {
  readonly style:
    | 'none'
    | 'cursor'
    | 'page'
    | 'offset'
    | 'link_header'
    | 'next_url'
    | 'relay'
    | 'token_body'
    | 'date_window';
  readonly request?: {
    readonly cursor?: string;
    readonly page?: string;
    readonly offset?: string;
    readonly limit?: string;
  };
  readonly response?: {
    readonly next?: string;
    readonly next_header?: string;
    readonly has_more?: string;
    readonly items?: string;
    readonly total?: string;
    readonly pages?: string;
    readonly counted?: string;
  };
  readonly stop?: { readonly header_param?: string; readonly value?: string };
  readonly max_limit?: number;
  readonly default_limit?: number;
  /** The number of the first page or item, where the description does not tell it. */
  readonly first?: number;
}

/** Which request a tool makes; exactly one of the four ways to say it. */
export interface CuratedOrigin {
  readonly operationId?: string;
  readonly method?: string;
  readonly path?: string;
  readonly server?: string;
  readonly graphql?: {
    readonly document: string;
    readonly variables?: Readonly<Record<string, JsonSchema>>;
    readonly path?: string;
  };
  readonly arazzo?: string;
}

export interface CuratedParams {
  readonly include?: readonly string[];
  readonly hide?: readonly string[];
  readonly rename?: Texts;
  readonly defaults?: JsonObject;
  readonly fixed?: JsonObject;
  readonly describe?: Texts;
  readonly examples?: JsonObject;
  readonly required_extra?: readonly string[];
}

export interface CuratedBody {
  readonly encoding?: 'json' | 'form' | 'form_deep' | 'multipart' | 'raw';
  readonly wrap?: string;
  readonly flatten?: boolean;
}

export interface CuratedResponse {
  readonly decode?: 'json' | 'xml' | 'text' | 'csv' | 'binary';
  readonly items?: string;
  readonly rows?: readonly string[];
  readonly pick?: readonly string[];
  readonly drop?: readonly string[];
  readonly map?: Texts;
  readonly base64?: readonly string[];
  readonly markdown?: boolean | readonly string[];
  readonly slice?: { readonly path: string; readonly max_characters: number };
  readonly follow?: { readonly path: string; readonly limit: number };
  readonly max_items?: number;
  readonly max_bytes?: number;
  readonly untrusted?: boolean;
  readonly link_only?: boolean;
  readonly location?: boolean;
  readonly headers?: readonly string[];
}

export interface CuratedVendorKey {
  readonly in: 'header' | 'body';
  readonly name: string;
  readonly key?: 'auto' | 'client' | 'each';
  readonly also?: readonly string[];
}

export interface CuratedOperation extends Omit<RawDemands, 'idempotency'> {
  readonly name: string;
  readonly resource: string;
  readonly from: CuratedOrigin;
  readonly purpose: string;
  readonly when_to_use?: string;
  readonly annotations: {
    readonly readOnly: boolean;
    readonly destructive?: boolean;
    readonly idempotent?: boolean;
    readonly openWorld?: boolean;
    readonly title?: string;
    readonly override_reason?: string;
  };
  readonly scopes?: readonly string[];
  readonly auth?: readonly string[];
  readonly headers?: Texts;
  readonly params?: CuratedParams;
  readonly body?: CuratedBody;
  readonly response?: CuratedResponse;
  /** Where the vendor takes a key, or what this server does of its own accord. */
  readonly idempotency?: CuratedVendorKey | RawDemands['idempotency'];
  readonly pagination?: CuratedPagination;
  readonly rate_cost?: number;
  readonly timeout_ms?: number;
  readonly cache?: { readonly ttl?: string; readonly vary?: readonly string[] };
  readonly deprecated?: boolean;
  readonly examples?: readonly { readonly arguments?: JsonObject; readonly note?: string }[];
}
