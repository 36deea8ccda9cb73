import { bindTools } from '#contract/surface/surface';
import type { SurfaceModule } from '#contract/surface/surface-module';
import { busTools } from '../../../generated/surfaces/bus/tools.ts';
import { createBusHandlers } from './handlers.ts';

/** The event bus for agents and operators: publish, read, and what could not be handled. */
export const surface: SurfaceModule<unknown, 'bus'> = {
  create({ bus }) {
    const counted = async (count: 'messages' | 'bytes') => {
      const states = await bus.states();
      return states.reduce((sum, state) => sum + state[count], 0);
    };
    return {
      tools: bindTools(busTools, createBusHandlers(bus)),
      metrics: [
        {
          name: 'bus_outbox_messages',
          help: 'Events that wait in the store to be published.',
          read: () => bus.waiting(),
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
