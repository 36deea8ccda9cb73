import type { EventDefinition } from '#contract/bus/events';
import type { StreamDefinition } from '#contract/bus/stream';
import { parseDuration } from '#contract/config/switch';
import type { JsonSchema } from '#contract/json';
import { diagnose } from '../../diagnostics/diagnose.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { createNamedTypes } from '../schema/named-types.ts';
import { camelCase } from '../texts/names.ts';
import type { Located } from '../texts/report.ts';

/** Events of the bus, as one file lists them. */
export interface EventsModel {
  readonly file: EventsFile;
  readonly channels: readonly ChannelModel[];
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  /** Every schema that becomes a named type, by the name of the type. */
  readonly types: ReadonlyMap<string, JsonSchema>;
}

/** An area, or what a surface adds to one. */
export interface ChannelModel {
  readonly name: string;
  readonly prefix: string;
  /** Absent where another file has it. */
  readonly stream?: StreamModel;
  readonly events: readonly EventModel[];
}

/** A stream whose size differs between a laptop and a cluster. */
export interface StreamModel extends Omit<StreamDefinition, 'maxBytes'> {
  readonly maxBytes: { readonly development: number; readonly production: number };
}

export interface EventModel
  extends Pick<EventDefinition, 'type' | 'event' | 'description' | 'publishedBy'> {
  /** `workflow.checkpoint` */
  readonly name: string;
  /** Name of the function that publishes it. */
  readonly method: string;
  /** Its schema, which is the name of its type too. */
  readonly dataType: string;
  readonly pointer: string;
}

/** An `asyncapi.yaml` that its JSON Schema accepts. */
export interface EventsFile {
  readonly asyncapi: string;
  readonly info: Readonly<Record<string, string>>;
  readonly channels: Readonly<Record<string, RawChannel>>;
  readonly operations?: Readonly<Record<string, object>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

interface RawChannel {
  readonly address: string;
  readonly 'x-jetstream'?: RawStream;
  readonly messages: Readonly<Record<string, RawMessage>>;
}

interface RawStream {
  readonly stream: string;
  readonly subjects: readonly string[];
  readonly max_age: string;
  readonly max_bytes: StreamModel['maxBytes'];
  readonly max_msg_size: number;
  readonly discard: StreamDefinition['discard'];
  readonly duplicate_window: string;
}

interface RawMessage {
  readonly name: string;
  readonly summary: string;
  readonly 'x-published-by'?: 'server';
  readonly payload: { readonly $ref: string };
}

/** Name each event's function and type, and read what its stream keeps. */
export function planEvents(file: EventsFile): EventsModel {
  const types = createNamedTypes(new Map());
  const { schemas } = file.components;
  for (const [name, schema] of Object.entries(schemas)) types.define(name, schema);
  const channels = Object.entries(file.channels).map(([name, channel]) => {
    const { address, messages, 'x-jetstream': stream } = channel;
    return {
      name,
      prefix: address.replace('.{tenant}.{event}', ''),
      ...(stream && { stream: planStream(stream) }),
      events: Object.entries(messages).map(([event, message]) => ({
        name: `${name}.${event}`,
        event,
        type: message.name,
        description: message.summary,
        ...(message['x-published-by'] && { publishedBy: message['x-published-by'] }),
        method: camelCase(event),
        dataType: message.payload.$ref.split('/').at(-1) ?? '',
        pointer: `/channels/${name}/messages/${event}`,
      })),
    };
  });
  return { file, channels, schemas, types: types.types };
}

function planStream(raw: RawStream): StreamModel {
  return {
    name: raw.stream,
    subjects: raw.subjects,
    maxAgeMs: milliseconds(raw.max_age),
    maxBytes: raw.max_bytes,
    maxMessageBytes: raw.max_msg_size,
    discard: raw.discard,
    duplicateWindowMs: milliseconds(raw.duplicate_window),
  };
}

function milliseconds(text: string): number {
  const found = parseDuration(text);
  if (found === undefined) throw new Error(`${text} is no time, and its schema allows it`);
  return found;
}

/** What its schema cannot say of one file: types of events are made of their names, schemas are there. */
export function checkEventFile({ channels, schemas }: EventsModel, file: Located): Diagnostic[] {
  return channels.flatMap(({ prefix, events }) =>
    events.flatMap(({ event, type, dataType, pointer }) => {
      const at = (member: string) => ({
        ...file.locate(`${pointer}/${member}`),
        pointer: `${pointer}/${member}`,
      });
      const found: Diagnostic[] = [];
      if (type.replace(/\.v\d+$/, '') !== `${prefix}.${event}`) {
        const message = `the type of this event begins with ${prefix}.${event}, and ${type} does not`;
        found.push(diagnose('EVENT002', at('name'), message));
      }
      if (schemas[dataType] === undefined) {
        const message = `there is no schema ${dataType} in this file`;
        found.push(diagnose('EVENT002', at('payload'), message));
      }
      return found;
    }),
  );
}

interface Place {
  readonly model?: EventsModel;
  readonly file?: Located;
  readonly place: { readonly path: string };
}

/** Events, schemas and streams are those of one bus, whichever file lists them. */
export function checkAllEvents(parts: readonly Place[]): Diagnostic[] {
  const owners = new Map<string, string>();
  const streams = new Set(
    parts.flatMap(({ model }) =>
      (model?.channels ?? []).flatMap(({ name, stream }) => (stream ? [name] : [])),
    ),
  );
  return parts.flatMap(({ model, file, place }) => {
    if (model === undefined || file === undefined) return [];
    const named = [
      ...model.channels.flatMap(({ name, prefix, stream, events }) => [
        ...(stream
          ? [{ what: `stream of ${prefix}`, pointer: `/channels/${name}/x-jetstream` }]
          : []),
        ...events.map((event) => ({ what: `event ${event.name}`, pointer: event.pointer })),
      ]),
      ...Object.keys(model.schemas).map((name) => ({
        what: `schema ${name}`,
        pointer: `/components/schemas/${name}`,
      })),
    ];
    const twice = named.flatMap(({ what, pointer }) => {
      const owner = owners.get(what);
      owners.set(what, owner ?? place.path);
      if (owner === undefined) return [];
      const message = `the ${what} stands in ${owner} too`;
      return [diagnose('EVENT001', { ...file.locate(pointer), pointer }, message)];
    });
    const lost = model.channels.flatMap(({ name }) => {
      if (streams.has(name)) return [];
      const pointer = `/channels/${name}`;
      const message = `no file gives the channel ${name} a stream (x-jetstream)`;
      return [diagnose('EVENT002', { ...file.locate(pointer), pointer }, message)];
    });
    return [...twice, ...lost];
  });
}
