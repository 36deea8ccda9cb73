import {
  checkAllEvents,
  checkEventFile,
  type EventsFile,
  type EventsModel,
  planEvents,
} from '../model/house/events.ts';
import { models } from './kind/kind.ts';
import { yamlKind } from './kind/yaml-kind.ts';

/** What can be published on the event bus: events of the server itself, and of each surface. */
export const events = yamlKind<EventsFile, EventsModel>({
  name: 'events',
  where: ['specs/events/asyncapi.yaml', 'specs/surfaces/<id>/asyncapi.yaml'],
  schema: 'asyncapi',
  plan: (content) => planEvents(content),
  problems: checkEventFile,
  check: checkAllEvents,
  async merge(parts) {
    if (parts.length === 0) return [];
    const { emitEvents } = await import('../emit/house/events.ts');
    return emitEvents(models(parts));
  },
});
