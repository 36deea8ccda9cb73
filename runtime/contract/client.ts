import type { Json, JsonObject, JsonSchema } from './json.ts';
import type { SchemaProfile } from './schema-profile.ts';

/** Severities of RFC 5424, as MCP names them, the least first. */
export const logLevels = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const;

export type LogLevel = (typeof logLevels)[number];

/** What a client can do for a server (MCP 2026-07-28, ClientCapabilities). */
export interface ClientCapabilities {
  /** `{}` stands for forms alone. */
  readonly elicitation?: { readonly form?: object; readonly url?: object };
  readonly sampling?: object;
  readonly roots?: object;
  readonly extensions?: Readonly<Record<string, object>>;
}

/** What a client says of itself. Nobody has checked it: it decides how an answer looks, never a right. */
export interface ClientFacts {
  readonly capabilities: ClientCapabilities;
  readonly name?: string;
  readonly version?: string;
  /** The form of schemas that it asks for. */
  readonly profile?: SchemaProfile;
}

/** A form: a flat object of strings, numbers, booleans and choices. Never for secrets. */
export interface FormElicitation {
  readonly mode?: 'form';
  readonly message: string;
  readonly requestedSchema: JsonSchema;
}

/** A page to open. `accept` says only that the user agreed to open it. */
export interface UrlElicitation {
  readonly mode: 'url';
  readonly message: string;
  readonly url: string;
}

/** One question to the client or its user (MCP 2026-07-28, multi round-trip requests). */
export type InputRequest =
  | {
      readonly method: 'elicitation/create';
      readonly params: FormElicitation | UrlElicitation;
    }
  | { readonly method: 'sampling/createMessage'; readonly params: JsonObject }
  | { readonly method: 'roots/list'; readonly params?: JsonObject };

/** Questions by the keys under which the answers come back. */
export type InputRequests = Readonly<Record<string, InputRequest>>;

/** What came back, by the same keys, as the client sent it: check before use. */
export type InputResponses = Readonly<Record<string, JsonObject>>;

/** The approval of one call by a person, as it goes through the client's hands: sealed. */
export interface ApprovalMark {
  /** Hash of the caller, operation and arguments that it belongs to. */
  readonly digest: string;
  /** Whether it was given; else it was asked for. */
  readonly given: boolean;
  /** Where a page asks for it. */
  readonly id?: string;
  /** How often a form has asked for it. */
  readonly asked?: number;
  /** Of which earlier act of the same kind the form spoke: when it began. */
  readonly earlier?: number;
}

/** What a client has answered, with what the questioner left for itself. */
export interface Answers {
  readonly responses: InputResponses;
  /** Went through the client's hands sealed: nobody has read or changed it. */
  readonly state?: Json;
  /** 0 before the first question. */
  readonly round: number;
  /** Names the state that came back, for what may act on it only once, and when it expires (ms). */
  readonly stateId?: string;
  readonly stateExpires?: number;
  readonly approval?: ApprovalMark;
}

/**
 * Thrown by what cannot go on without the client's answer. It runs again from its beginning with
 * the answer, so whoever throws it has done nothing yet that must not be done twice.
 */
export class InputRequired extends Error {
  readonly requests: InputRequests;
  readonly state: Json | undefined;
  /** Set by admission, for what waits for a person. */
  readonly approval: ApprovalMark | undefined;

  constructor(requests: InputRequests, state?: Json, approval?: ApprovalMark) {
    super('the client has to answer first');
    this.name = 'InputRequired';
    this.requests = requests;
    this.state = state;
    this.approval = approval;
  }
}

/** Thrown by what needs a client that can do more. */
export class MissingCapability extends Error {
  readonly required: ClientCapabilities;

  constructor(required: ClientCapabilities) {
    super('the client lacks a capability that this needs');
    this.name = 'MissingCapability';
    this.required = required;
  }
}

/** The capability that a client must have declared to be asked this; nothing when it has. */
export function lackedFor(
  { method, params }: InputRequest,
  { elicitation, sampling, roots }: ClientCapabilities,
): ClientCapabilities | undefined {
  switch (method) {
    case 'sampling/createMessage':
      return sampling ? undefined : { sampling: {} };
    case 'roots/list':
      return roots ? undefined : { roots: {} };
    case 'elicitation/create': {
      if (params.mode === 'url') return elicitation?.url ? undefined : { elicitation: { url: {} } };
      const takesForms = elicitation && (elicitation.form !== undefined || !elicitation.url);
      return takesForms ? undefined : { elicitation: { form: {} } };
    }
  }
}
