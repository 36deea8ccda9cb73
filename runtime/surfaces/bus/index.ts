import { bindRoutes, bindTools } from '#contract/surface/surface';
import type { SurfaceModule } from '#contract/surface/surface-module';
import { defaultTenant } from '#contract/tenant/tenants';
import { busRoutes } from '../../../generated/surfaces/bus/routes.ts';
import { busTools } from '../../../generated/surfaces/bus/tools.ts';
import type { EventDocument } from '../../../generated/surfaces/bus/types.ts';
import { createBusHandlers } from './handlers.ts';
import { disguisedNumbers, plainNumbers } from './place-numbers.ts';

/** The event bus for agents and operators: publish, read, and what could not be handled. */
export const surface: SurfaceModule<unknown, 'bus' | 'keys'> = {
  create({ bus, keys }) {
    const numbersOf = (tenant: string, stream: string) =>
      tenant === defaultTenant
        ? plainNumbers
        : disguisedNumbers(keys('places of the event bus'), tenant, stream);
    const counted = async (count: 'messages' | 'bytes') => {
      const states = await bus.states();
      return states.reduce((sum, state) => sum + state[count], 0);
    };
    return {
      routes: bindRoutes(busRoutes, {
        getEventDocument: async () => ({ status: 200, body: documentOf(await bus.document()) }),
      }),
      tools: bindTools(busTools, createBusHandlers(bus, numbersOf)),
      metrics: [
        {
          name: 'bus_outbox_messages',
          help: 'Events that wait in the store to be published.',
          read: () => bus.waiting(),
        },
        {
          name: 'bus_outbox_refused',
          help: 'Events in the store that no stream takes.',
          read: () => bus.refused(),
        },
        {
          name: 'bus_stream_messages',
          help: 'Messages in all streams of the event bus.',
          read: () => counted('messages'),
        },
        {
          name: 'bus_stream_bytes',
          help: 'Bytes of the messages in all streams of the event bus.',
          read: () => counted('bytes'),
        },
      ],
    };
  },
};

/** It is generated from the same specs as its type. */
function documentOf(document: object): EventDocument {
  return document as EventDocument;
}
