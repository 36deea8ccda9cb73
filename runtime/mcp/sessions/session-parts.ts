import type { IncomingHttpHeaders } from 'node:http';
import type { Logger } from 'pino';
import type { Arrival } from '#contract/arrival';
import type { Caller } from '#contract/caller';
import type { SchemaProfile } from '#contract/schema-profile';
import type { Admission } from '../../admission/admission.ts';
import type { Catalogue } from '../../offer/catalogue.ts';
import type { Changes } from '../../offer/changes.ts';
import type { RequestRecords } from '../request/request-records.ts';
import type { RevisionTable } from '../revisions/revision-table.ts';
import type { EventStreams } from '../wire/event-streams.ts';
import type { Message, ResponseMessage } from '../wire/json-rpc.ts';
import type { SessionSettings } from './session-table.ts';

/** What clients of the handshake era send: a message, or a wish about their session. */
export type SessionRequest = {
  readonly headers: IncomingHttpHeaders;
  readonly arrival: Arrival;
  readonly caller: Caller | Promise<Caller>;
  /** The form of schemas that the address asks for. */
  readonly profile?: SchemaProfile | undefined;
} & (
  | { readonly kind: 'message'; readonly message: Message }
  | { readonly kind: 'response'; readonly response: ResponseMessage }
  /** Open the stream for what the server has to say of its own accord, or continue one. */
  | { readonly kind: 'stream' }
  | { readonly kind: 'end' }
);

export interface SessionsParts {
  readonly catalogue: Pick<Catalogue, 'find'>;
  readonly admission: Pick<Admission, 'requireScopes'>;
  readonly revisions: RevisionTable;
  readonly changes: Changes;
  readonly streams: EventStreams;
  readonly records: RequestRecords;
  readonly log: Logger;
  readonly settings: SessionSettings;
}
