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
      schemas: value(schemas),
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
          all.map(({ name, type, prefix, event, stream, description, dataType }) => [
            name,
            { type, prefix, event, stream, description, data: new Code(`schemas.${dataType}`) },
          ]),
        ),
      ),
      streams: value(channels.map(({ stream }) => stream)),
    },
  });
  return [module, eventsDocument(models), eventsPage(channels)];
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
      events: events.map(({ type, name, description, dataType }) => ({
        type: code(type),
        name: code(name),
        description: sentence(description),
        data: code(dataType),
      })),
    })),
  });
}

const dayMs = 86_400_000;
