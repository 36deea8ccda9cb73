import { isObject } from '#contract/json';
import type { Resources } from '../../resources.ts';
import type { Params } from '../json-rpc.ts';
import { type Granted, type Subscriptions, subscriptionIdKey } from '../subscriptions.ts';
import type { Method } from './method.ts';

const flags = ['toolsListChanged', 'promptsListChanged', 'resourcesListChanged'] as const;
const lists = ['resourceSubscriptions', 'taskIds'] as const;

/** Names in one subscription. */
const mostNames = 1000;

/** Keep a stream open that tells of changes. */
export function subscriptionsListen(resources: Resources, subscriptions: Subscriptions): Method {
  return {
    streams: true,
    check,
    async run({ notifications }, call) {
      // Checked with the parameters.
      await subscriptions.listen(grantedOf(notifications as Wanted, resources), call);
      return { kind: 'complete', result: {}, meta: { [subscriptionIdKey]: call.requestId } };
    },
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
