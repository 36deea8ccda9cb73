import type { Transaction } from 'kysely';
import type { EventDoor } from '#contract/bus/events';
import type { Task, TaskState } from '#contract/house/task';
import { createEvents } from '../../../generated/events.ts';
import type { Tables } from '../../../generated/tables.ts';

/** Longest name of an agent in an event. */
const longestAgent = 256;

/** Tells the bus, in the transaction that stores it, that a task was made or has another state. */
export type TellOfTask = (
  tx: Transaction<Tables>,
  task: Task,
  before: TaskState | undefined,
) => Promise<void>;

/** Publish `agent.assigned` with each new task, and `agent.state` with each state that follows. */
export function publishTasks(bus: EventDoor): TellOfTask {
  const { agent } = createEvents(bus);
  return (tx, { tenant, subject, id: task, tool, state: to }, from) => {
    const data = { agent_id: subject.slice(0, longestAgent), task };
    const about = { tenant, subject: tool };
    return from === undefined
      ? agent.assigned.within(tx, { ...about, data })
      : agent.state.within(tx, { ...about, data: { ...data, from, to } });
  };
}
