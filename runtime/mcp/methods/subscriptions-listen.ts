import type { Task } from '#contract/house/task';
import { isObject } from '#contract/json';
import type { Resources } from '../../offer/resources.ts';
import { type Outcome, rejected } from '../outcome/outcome.ts';
import type { Method } from '../request/method.ts';
import type { Offer } from '../request/revision.ts';
import {
  type Follow,
  type Granted,
  subscriptionIdKey,
  TooManySubscriptions,
} from '../request/subscriptions.ts';
import { detailedTask } from '../tasks/task.ts';
import { knowsTasks, type Tasks, tasksCapability } from '../tasks/tasks.ts';
import { errorCode, type Params } from '../wire/json-rpc.ts';

const flags = ['toolsListChanged', 'promptsListChanged', 'resourcesListChanged'] as const;
const lists = ['resourceSubscriptions', 'taskIds'] as const;

/** When a client may try again that found no room. */
const retryAfterMs = 5000;

/** Names in one subscription. */
const mostNames = 1000;

type ListenParts = Pick<Offer, 'resources' | 'subscriptions' | 'tasks'>;

/** Keep a stream open that tells of changes. */
export function subscriptionsListen({ resources, subscriptions, tasks }: ListenParts): Method {
  return {
    streams: true,
    check,
    async run({ notifications }, call): Promise<Outcome> {
      // Checked with the parameters.
      const wanted = notifications as Wanted;
      const taskIds = (wanted['taskIds'] ?? []) as string[];
      if (taskIds.length > 0 && !knowsTasks(call.client)) {
        return { kind: 'missingCapability', required: tasksCapability };
      }
      const chosen = tasks ? await tasks.select(call.caller, taskIds) : [];
      const granted = {
        ...grantedOf(wanted, resources),
        ...(chosen.length > 0 && { taskIds: chosen.map(({ id }) => id) }),
      };
      try {
        await subscriptions.listen(granted, call, tasks && tellOf(tasks, chosen));
      } catch (error) {
        if (!(error instanceof TooManySubscriptions)) throw error;
        return rejected(errorCode.internal, error.message, { retryAfterMs });
      }
      return { kind: 'complete', result: {}, meta: { [subscriptionIdKey]: call.requestId } };
    },
  };
}

/** Tell where the tasks stand, and then of each change. */
function tellOf(tasks: Tasks, chosen: readonly Task[]): Follow {
  return (send) => {
    const tell = (task: Task) => send('notifications/tasks', detailedTask(task));
    for (const task of chosen) tell(task);
    return tasks.follow(chosen, tell);
  };
}

type Wanted = Readonly<Record<string, unknown>>;

/** Of what was asked for, what there is. */
function grantedOf(wanted: Wanted, resources: Resources): Granted {
  const uris = ((wanted['resourceSubscriptions'] ?? []) as string[]).filter((uri) =>
    resources.find(uri),
  );
  return {
    ...(wanted['toolsListChanged'] === true && { toolsListChanged: true }),
    ...(wanted['promptsListChanged'] === true && { promptsListChanged: true }),
    ...(wanted['resourcesListChanged'] === true && { resourcesListChanged: true }),
    ...(uris.length > 0 && { resourceSubscriptions: uris }),
  };
}

function check({ notifications }: Params): string | undefined {
  if (!isObject(notifications)) return '"notifications" must be an object';
  const flag = flags.find((name) => !['boolean', 'undefined'].includes(typeof notifications[name]));
  if (flag !== undefined) return `"notifications.${flag}" must be true or false`;
  const list = lists.find((name) => !isNames(notifications[name]));
  return list === undefined
    ? undefined
    : `"notifications.${list}" must be an array of at most ${mostNames} strings`;
}

function isNames(value: unknown): boolean {
  if (value === undefined) return true;
  return (
    Array.isArray(value) &&
    value.length <= mostNames &&
    value.every((name) => typeof name === 'string')
  );
}
