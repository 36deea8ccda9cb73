import { hostname } from 'node:os';
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import type { NewEvent } from '#contract/bus/bus';
import { type CloudEvent, readCloudEvent, toBinary } from '#contract/bus/cloud-event';
import type { EventCatalogue, EventDefinition } from '#contract/bus/events';
import { busInvalid } from '#contract/bus/faults';
import type { OutgoingMessage, StoredMessage } from '#contract/bus/message';
import { isToken } from '#contract/bus/subject';
import { ServiceError } from '#contract/errors';
import { nearestName } from '#contract/nearest-name';
import { defaultTenant } from '#contract/tenant/tenants';
import type { SchemaCompiler } from '../admission/steps/schema-compiler.ts';
import { ulid } from './ulid.ts';

/** Where events are published from (CloudEvents, source). */
const source = `urn:service:${encodeURIComponent(hostname())}`;

/** What an id may be: every header of NATS and of HTTP carries it as it is. */
const headerText = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
const headerTextIs = 'printable ASCII (U+0020 to U+007E) without spaces around it';

/** Where an event comes from: the server, or an agent that publishes it there. */
function sourceOf(publisher: string | undefined): string {
  if (publisher === undefined) return source;
  return `${source}:agent:${encodeURIComponent(publisher.toWellFormed())}`;
}

/** Knows every event of the catalogue: its subject, and what its data may be. */
export class EventCheck {
  readonly #catalogue: EventCatalogue;
  /** Whether the subjects say whose an event is: where several tenants share the server. */
  readonly #isShared: boolean;
  readonly #documentUrl: string | undefined;
  readonly #names: ReadonlyMap<string, string>;
  readonly #validators = new Map<string, ValidateFunction>();
  #compiler: Promise<SchemaCompiler> | undefined;

  /** @param documentUrl where the AsyncAPI document is, for whoever looks for the schema of an event */
  constructor(catalogue: EventCatalogue, isShared: boolean, documentUrl?: string) {
    this.#catalogue = catalogue;
    this.#isShared = isShared;
    this.#documentUrl = documentUrl;
    this.#names = new Map(Object.entries(catalogue).map(([name, { type }]) => [type, name]));
  }

  /**
   * What the catalogue says of an event.
   *
   * @throws ServiceError `invalid_params`
   */
  definition(name: string): EventDefinition {
    const found = Object.hasOwn(this.#catalogue, name) ? this.#catalogue[name] : undefined;
    if (found !== undefined) return found;
    const nearest = nearestName(name, Object.keys(this.#catalogue));
    const hint = nearest === undefined ? '' : `, such as ${nearest}`;
    throw busInvalid('event', `an event of the catalogue${hint}`, name);
  }

  /** Filter of the subjects of one event, of one tenant or of all. */
  filterOf({ prefix, event }: EventDefinition, tenant?: string): string {
    return this.#isShared ? `${prefix}.${tenant ?? '*'}.${event}` : `${prefix}.${event}`;
  }

  /**
   * Make a message of an event.
   *
   * @throws ServiceError `invalid_params` where its data does not fit, or its tenant is none
   */
  async messageOf(event: NewEvent): Promise<OutgoingMessage> {
    const { name, tenant, data, expectedLastSequence, trace, publisher } = event;
    const definition = this.definition(name);
    if (publisher !== undefined && definition.publishedBy === 'server') {
      throw busInvalid('event', 'one that agents may publish (only the server publishes it)', name);
    }
    if (!isToken(tenant) || (!this.#isShared && tenant !== defaultTenant)) {
      const expected = this.#isShared ? 'the id of a tenant' : defaultTenant;
      throw busInvalid('tenant', expected, tenant);
    }
    await this.#checkData(name, data, definition);
    const { id = ulid(), subject, correlationId, causationId } = event;
    if (!headerText.test(id)) throw busInvalid('id', headerTextIs, id);
    const cloudEvent: CloudEvent = {
      ...{
        id,
        source: sourceOf(publisher),
        type: definition.type,
        time: new Date().toISOString(),
        tenant,
        data,
      },
      datacontenttype: 'application/json',
      ...(this.#documentUrl !== undefined && {
        dataschema: `${this.#documentUrl}#/components/schemas/${definition.schema}`,
      }),
      ...(subject !== undefined && { subject }),
      ...(correlationId !== undefined && { correlationid: correlationId }),
      ...(causationId !== undefined && { causationid: causationId }),
      ...trace,
    };
    return {
      ...{ subject: this.filterOf(definition, tenant), tenant, id, ...toBinary(cloudEvent) },
      ...(event.id === undefined && { isNewId: true }),
      ...(expectedLastSequence !== undefined && { expectedLastSequence }),
    };
  }

  /**
   * Read the event of a message; its name is absent where the catalogue has none of its type.
   *
   * @throws ServiceError `invalid_params` where it is no event, or its data does not fit
   */
  async eventOf(message: StoredMessage): Promise<{ event: CloudEvent; name?: string }> {
    const { tenant } = message;
    // What its place says is so; what it says of itself may not be.
    const event = { ...readCloudEvent(message), ...(tenant !== '' && { tenant }) };
    const name = this.#names.get(event.type);
    if (name === undefined) return { event };
    await this.#checkData(name, event.data, this.definition(name));
    return { event, name };
  }

  async #checkData(name: string, data: unknown, definition: EventDefinition): Promise<void> {
    const validate = this.#validators.get(name) ?? (await this.#load(name, definition));
    if (validate(data)) return;
    const [error] = validate.errors ?? [];
    const inner = error?.params['additionalProperty'] ?? error?.params['missingProperty'];
    const path = (error?.instancePath ?? '').split('/').slice(1);
    const field = ['data', ...path, ...(inner === undefined ? [] : [String(inner)])].join('.');
    // The value is not repeated: it may be a secret.
    const message = `the data of ${name} does not fit: ${field} ${whatIsWrong(error)}`;
    throw new ServiceError('invalid_params', 400, message, { detail: { field } });
  }

  async #load(name: string, { data }: EventDefinition): Promise<ValidateFunction> {
    this.#compiler ??= loadCompiler();
    const validate = (await this.#compiler).compile(data);
    this.#validators.set(name, validate);
    return validate;
  }
}

function whatIsWrong(error: ErrorObject | undefined): string {
  if (error?.keyword === 'required') return 'is missing';
  if (error?.keyword === 'additionalProperties') return 'is none of its members';
  return error?.message ?? 'is wrong';
}

async function loadCompiler(): Promise<SchemaCompiler> {
  const { createSchemaCompiler } = await import('../admission/steps/schema-compiler.ts');
  return createSchemaCompiler({ allErrors: false });
}
