import type { Json, JsonPath } from '../json.ts';

/** What a back end keeps. */
export const signals = ['log', 'metric', 'trace', 'profile'] as const;
export type Signal = (typeof signals)[number];

/** How a back end can be asked who is there: nothing, or a credential in one of these forms. */
export type TelemetryAuth = 'none' | 'basic' | 'bearer' | 'header';

/** Languages in which back ends are asked. */
export type QueryLanguage =
  | 'logql'
  | 'logsql'
  | 'lucene'
  | 'promql'
  | 'metricsql'
  | 'traceql'
  | 'tags'
  | 'pyroscope'
  | 'datadog'
  | 'phoenix';

/**
 * One kind of log, metrics, trace or profile store, as `specs/telemetry/<kind>.yaml` describes it.
 * Texts may hold placeholders in angle brackets, `<name>` or `<name:form>`.
 */
export interface TelemetryKind {
  readonly kind: string;
  readonly title: string;
  /** Whether the tests ask a real server of this kind, or replay answers that are documented. */
  readonly proof: 'real' | 'documented';
  readonly documentation: string;
  /** It is a part of this server, and nobody registers it. */
  readonly inProcess?: true;
  /** Ports on which it usually listens. */
  readonly ports: readonly number[];
  readonly auth: readonly TelemetryAuth[];
  /** Headers that name a tenant; two of them share one that is written `12:34`. */
  readonly tenant?: readonly string[];
  readonly health: TelemetryHealth;
  /** By signal, how the collector hands it what was collected. */
  readonly ingest: { readonly [Kept in Signal]?: TelemetryIngest };
  /** By signal, how it is asked; what is absent cannot be asked. */
  readonly query: { readonly [Kept in Signal]?: TelemetryQuery };
  /** Where it says itself which alerts fire. */
  readonly alerts?: TelemetryAlerts;
  /** What its answers mean that are none, before what their status says by itself. */
  readonly errors: readonly TelemetryError[];
}

/** A request that tells whether the back end works. */
export interface TelemetryHealth {
  readonly path: string;
  /** Where it is served beside the endpoint. */
  readonly port?: number;
  /** A text that the answer has to hold, besides its status being 200. */
  readonly holds?: string;
  /** A member of a JSON answer, and a value with which it is not well. */
  readonly unless?: { readonly path: JsonPath; readonly equals: string };
}

/** A list of alerts that a back end, or what stands behind it, has evaluated. */
export interface TelemetryAlerts {
  readonly path: string;
  readonly parameters?: Readonly<Record<string, string>>;
  /** Groups of rules with their alerts (Prometheus HTTP API, rules), or alerts alone (Alertmanager API v2). */
  readonly shape: 'rules' | 'alertmanager';
}

/** A stanza of the collector's file. */
export interface TelemetryIngest {
  readonly exporter: string;
  /** Name of the setting that takes the address; it takes a list where this ends in `[]`. */
  readonly address: string;
  /** Made from `<endpoint>` of the registry's entry, or from its `<otlp>` (otlpEndpoint, else endpoint). */
  readonly url: string;
  /** Headers of each request, besides those of tenant and credential. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Where the credential goes where that is no header: a path of settings. */
  readonly credential?: readonly string[];
  readonly settings?: { readonly [name: string]: Json };
  /** How the exporter keeps what it could not send yet. */
  readonly queue: 'sending_queue' | 'remote_write_queue' | 'none';
  /** Processors without which it loses something. */
  readonly processors?: readonly string[];
}

/** How one signal is asked for. */
export interface TelemetryQuery {
  /** Languages that it understands, its own first; without any, it takes neutral filters alone. */
  readonly languages: readonly QueryLanguage[];
  readonly search: TelemetryRequest;
  /** Ask for one trace by its id. */
  readonly byId?: TelemetryRequest;
  /** Ask what a query would read, before it is run. */
  readonly cost?: TelemetryCost;
  /** Ask which fields there are, and which values they have. */
  readonly fields?: TelemetryFields;
  /** What its credential can do is seen by this cheap question. */
  readonly probe?: TelemetryProbe;
  /** How a neutral filter is written; without it, none can be. */
  readonly filter?: TelemetryFilter;
  /** How a query that is a list of tags becomes parts of the request. */
  readonly tags?: TelemetryTags;
  /** It gives the newest rows alone, and cannot be asked from the oldest on. */
  readonly newestOnly?: true;
  /** Most rows, series or traces that one request may ask for. */
  readonly mostRows: number;
}

/** How a back end says what there is to ask for; what is absent it cannot say. */
export interface TelemetryFields {
  /** Names of fields. */
  readonly names?: TelemetryList;
  /** Values of `<field>`. */
  readonly values?: TelemetryList;
  /** What all back ends call the same here: `service`, the `name` of metrics or spans, the `type` of profiles. */
  readonly known?: Readonly<Record<string, TelemetryList>>;
  /** A query that reads as much as these do; what it would read is asked first. */
  readonly query?: string;
}

/** A request that is answered with a list of texts. */
export interface TelemetryList extends Omit<TelemetryRequest, 'answer' | 'method'> {
  readonly method?: 'POST';
  /** Where the texts stand: those of lists in a list all count. */
  readonly at: JsonPath;
}

export interface TelemetryProbe {
  readonly path: string;
  readonly parameters?: Readonly<Record<string, string>>;
}

/** One request and how its answer is read. */
export interface TelemetryRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Of the URL, or of a form; those whose placeholders have no value are left out. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Where the parameters of a POST stand. */
  readonly form?: true;
  /** A body; a text that is nothing but a placeholder becomes its value. */
  readonly json?: Json;
  /** A body that is no JSON. */
  readonly text?: string;
  readonly answer: TelemetryAnswer;
}

/** How an answer is read. */
export interface TelemetryAnswer {
  readonly shape: AnswerShape;
  /** One JSON value, or one on each line. */
  readonly format?: 'json' | 'lines';
  /** Where the list, or what the shape is about, stands. */
  readonly at: JsonPath;
  /** Where, in an item, its fields stand. */
  readonly row?: JsonPath;
  readonly fields?: RowFields;
  /** Where statistics stand that are passed on. */
  readonly stats?: JsonPath;
  /** Where the back end warns. */
  readonly warnings?: readonly JsonPath[];
  /** What says that something is missing. */
  readonly partial?: readonly AnswerSign[];
  /** What says that it has failed, in an answer that says that all is well. */
  readonly failed?: readonly AnswerSign[];
}

/** The families of answers. */
export type AnswerShape =
  | 'streams'
  | 'records'
  | 'series'
  | 'points'
  | 'summaries'
  | 'jaeger'
  | 'otlp'
  | 'spans'
  | 'flamegraph';

/** Where a field stands: the first of these paths that leads to something. */
export type FieldPaths = readonly JsonPath[];

/** Where the fields of a row stand; all that is left becomes an attribute. */
export interface RowFields {
  readonly timestamp?: { readonly paths: FieldPaths; readonly unit: TimeUnit };
  readonly duration?: { readonly paths: FieldPaths; readonly unit: TimeUnit };
  readonly end?: { readonly paths: FieldPaths; readonly unit: TimeUnit };
  readonly body?: FieldPaths;
  readonly severity?: FieldPaths;
  readonly service?: FieldPaths;
  readonly traceId?: FieldPaths;
  readonly spanId?: FieldPaths;
  readonly parentId?: FieldPaths;
  readonly name?: FieldPaths;
  readonly status?: FieldPaths;
  /** Maps whose members are attributes of the row. */
  readonly attributes?: FieldPaths;
  /** Members that nobody needs. */
  readonly drop?: readonly string[];
}

export type TimeUnit = 'ns' | 'us' | 'ms' | 's' | 'rfc3339';

export interface AnswerSign {
  readonly path: JsonPath;
  /** Anything above zero, a text or list that is not empty, or this very value. */
  readonly equals?: string | boolean;
}

export interface TelemetryCost {
  readonly path: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** Where the bytes, or else the rows, stand that would be read; of a list, their sum counts. */
  readonly bytes?: JsonPath;
  readonly rows?: JsonPath;
}

/** What can be asked for in every language. */
export type FilterClause = 'service' | 'level' | 'text' | 'traceId' | 'attribute' | 'minDuration';

/** How a neutral filter becomes a query: clauses are written into parts, parts into the query. */
export interface TelemetryFilter {
  /** The query, with a placeholder for each part; absent where there are only parameters. */
  readonly query?: string;
  readonly parts: Readonly<Record<string, FilterPart>>;
  /** What is absent cannot be asked for: the provider is skipped, and says so. */
  readonly clauses: { readonly [Clause in FilterClause]?: ClauseText };
  /** Clauses without which it cannot be asked. */
  readonly needs?: readonly FilterClause[];
  /** What the back end calls levels, where it has words of its own. */
  readonly levels?: Readonly<Record<string, string>>;
}

export interface FilterPart {
  readonly before?: string;
  readonly between: string;
  readonly after?: string;
  /** What stands there when nothing is asked for. */
  readonly empty?: string;
}

/** Written into a part of the query, into a parameter, or both. */
export interface ClauseText {
  readonly part?: string;
  readonly write?: string;
  /** Parameters of the request, with their values; that of several attributes is one JSON object. */
  readonly parameters?: Readonly<Record<string, string>>;
}

/** A query of tags (`service=checkout http.method=GET`): named ones are parameters, all others JSON. */
export interface TelemetryTags {
  readonly named: Readonly<Record<string, string>>;
  readonly others: string;
  readonly needs: readonly string[];
}

/** What an answer with this status means. */
export interface TelemetryError {
  readonly status: number;
  readonly code: TelemetryFault;
  /** Where a JSON body says what is wrong; a text body says it whole. */
  readonly message?: JsonPath;
}

/** Why a provider gave nothing. */
export type TelemetryFault =
  | 'invalid_query'
  | 'unauthorized'
  | 'not_found'
  | 'rate_limited'
  | 'too_large'
  | 'timeout'
  | 'unavailable'
  | 'unusable_answer';

/** A kind that can be loaded. */
export interface TelemetryKindEntry {
  readonly kind: string;
  readonly title: string;
  /** It is a part of this server, and nobody registers it. */
  readonly inProcess?: true;
  /** What it can be given. */
  readonly ingests: readonly Signal[];
  /** What it can be asked for. */
  readonly answers: readonly Signal[];
  /** It says which alerts fire. */
  readonly alerts?: true;
  readonly load: () => Promise<TelemetryKind>;
}

/** Check a generated kind against its type. */
export function defineTelemetryKind(kind: TelemetryKind): TelemetryKind {
  return kind;
}
