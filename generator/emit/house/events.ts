import type { ChannelModel, EventsModel, StreamModel } from '../../model/house/events.ts';
import { pascalCase } from '../../model/texts/names.ts';
import { code, page, sentence } from '../docs/markdown.ts';
import { comment, identifier, property, text, value } from '../print/code.ts';
import type { EmittedFile } from '../print/emitted-file.ts';
import { Code } from '../print/literal.ts';
import { printModule } from '../print/module.ts';
import { plain } from '../print/printed.ts';
import { schemaTypes } from '../print/schema-types.ts';

/** Print what publishes and handles each event, the document of all of them, and their page. */
export async function emitEvents(models: readonly EventsModel[]): Promise<EmittedFile[]> {
  const channels = mergedChannels(models);
  const schemas = Object.assign({}, ...models.map((model) => model.schemas));
  const types = new Map(models.flatMap((model) => [...model.types]));
  const all = channels.flatMap(({ prefix, stream, events }) =>
    events.map((event) => ({ ...event, prefix, stream: stream.name })),
  );
  const module = printModule({
    path: 'generated/events.ts',
    source: 'specs',
    imports: [
      {
        from: '#contract/bus/events',
        names: ['typedConsumers', 'typedPublishers'],
        types: ['EventCatalogue', 'EventDoor', 'EventPublish'],
      },
      { from: '#contract/bus/bus', types: ['Bus'] },
      { from: '#contract/bus/stream', types: ['SizedStream'] },
    ],
    template: 'events',
    data: {
      types: await schemaTypes(types),
      schemas: value(whole(schemas)),
      areas: channels.map(({ name, prefix, events }) => ({
        name: identifier(`${pascalCase(name)}Events`),
        property: property(name),
        docs: comment([`Publishes the events of \`${prefix}\`.`]),
        events: events.map((event) => ({
          docs: comment([`${event.type}: ${event.description}.`], 1),
          method: property(event.method),
          data: identifier(event.dataType),
          event: text(event.name),
        })),
      })),
      events: all.map(({ name, dataType }) => ({ name: text(name), data: identifier(dataType) })),
      catalogue: value(
        Object.fromEntries(
          all.map(({ name, type, prefix, event, stream, description, dataType, publishedBy }) => [
            name,
            {
              ...{ type, prefix, event, stream, description, schema: dataType },
              ...(publishedBy && { publishedBy }),
              data: new Code(`schemas.${dataType}`),
            },
          ]),
        ),
      ),
      streams: value(channels.map(({ stream }) => stream)),
    },
  });
  return [module, eventsDocument(models), eventsPage(channels)];
}

const referred = '#/components/schemas/';

/** Schemas that each hold what they refer to: data is checked against one of them alone. */
function whole(schemas: Readonly<Record<string, object>>): Readonly<Record<string, object>> {
  const local = (schema: object): object =>
    JSON.parse(JSON.stringify(schema).replaceAll(`"$ref":"${referred}`, '"$ref":"#/$defs/'));
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const inner = referredBy(schema, schemas);
      const definitions = inner.map((each) => [each, local(schemas[each] ?? {})]);
      if (inner.length === 0) return [name, schema];
      return [name, { ...local(schema), $defs: Object.fromEntries(definitions) }];
    }),
  );
}

/** The names of all schemas that one refers to, itself or by way of others. */
function referredBy(
  schema: object,
  schemas: Readonly<Record<string, object>>,
  found = new Set<string>(),
): readonly string[] {
  for (const [, name = ''] of JSON.stringify(schema).matchAll(
    /"\$ref":"#\/components\/schemas\/([^"]+)"/g,
  )) {
    if (found.has(name)) continue;
    found.add(name);
    referredBy(schemas[name] ?? {}, schemas, found);
  }
  return [...found];
}

interface MergedChannel extends ChannelModel {
  readonly stream: StreamModel;
}

/** What several files say of one channel, together. */
function mergedChannels(models: readonly EventsModel[]): readonly MergedChannel[] {
  const all = Map.groupBy(
    models.flatMap(({ channels }) => channels),
    ({ name }) => name,
  );
  return [...all.values()].flatMap((parts) => {
    const owner = parts.find(({ stream }) => stream !== undefined);
    if (owner?.stream === undefined) return [];
    return [{ ...owner, stream: owner.stream, events: parts.flatMap(({ events }) => events) }];
  });
}

/** The AsyncAPI document that workers elsewhere are given: all files as one. */
function eventsDocument(models: readonly EventsModel[]): EmittedFile {
  const files = models.map(({ file }) => file);
  const [first] = files;
  const channels: Record<string, { messages?: object }> = {};
  for (const [name, channel] of files.flatMap((file) => Object.entries(file.channels))) {
    const known = channels[name];
    const messages = { ...known?.messages, ...channel.messages };
    channels[name] = { ...channel, ...known, messages };
  }
  const document = {
    ...first,
    channels,
    operations: Object.assign({}, ...files.map(({ operations }) => operations)),
    components: {
      schemas: Object.assign({}, ...files.map(({ components }) => components.schemas)),
    },
  };
  const path = 'generated/docs/asyncapi.json';
  return { path, text: `${JSON.stringify(document, null, 2)}\n` };
}

function eventsPage(channels: readonly MergedChannel[]): EmittedFile {
  return page('events.md', 'specs', 'events-page', {
    channels: channels.map(({ prefix, stream, events }) => ({
      prefix: code(prefix),
      stream: code(stream.name),
      days: plain(String(stream.maxAgeMs / dayMs)),
      events: events.map(({ type, name, description, dataType, publishedBy }) => ({
        type: code(type),
        name: code(name),
        description: sentence(
          publishedBy ? `${description}; only the server publishes it` : description,
        ),
        data: code(dataType),
      })),
    })),
  });
}

const dayMs = 86_400_000;
