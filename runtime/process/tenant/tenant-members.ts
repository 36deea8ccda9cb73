import { isObject } from '#contract/json';
import type { TenantLimits } from '#contract/tenant/tenants';

/** A value that an operator has written about a tenant, and where faults of it are told. */
export interface Written {
  readonly value: unknown;
  /** Takes a fault down; what came is named where it is no secret. */
  readonly wrong: (expected: string, received?: unknown) => undefined;
}

const domainForm = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*$/;
const ways = ['oidc', 'email', 'dev', 'none'] as const;
/** The most that can be set of what is counted. */
const most = 1_000_000;

/** The limits that a tenant can have of its own, by the names in which they are written. */
const limitNames = {
  call_rate: 'callRate',
  total_call_rate: 'totalCallRate',
  running_calls: 'runningCalls',
} as const satisfies Record<string, keyof TenantLimits>;

/** An origin: an http or https URL without anything behind its host. */
export function originIn(written: Written): string | undefined {
  const text = urlIn(written);
  if (text === undefined) return undefined;
  const url = new URL(text);
  const isBare = url.pathname === '/' && !url.search && !url.hash && !url.username && !url.password;
  return isBare ? url.origin : written.wrong('an http or https URL without a path');
}

/** A way in which people sign in. */
export function wayIn({ value, wrong }: Written): (typeof ways)[number] | undefined {
  return ways.find((each) => each === value) ?? wrong(`one of ${ways.join(', ')}`, value);
}

/** An http or https URL, as it is written. */
export function urlIn(written: Written): string | undefined {
  const value = textIn(written);
  if (value === undefined || /^https?:$/.test(URL.parse(value)?.protocol ?? '')) return value;
  return written.wrong('an http or https URL');
}

/** A text that is not empty. */
export function textIn({ value, wrong }: Written): string | undefined {
  return typeof value === 'string' && value !== '' ? value : wrong('a text');
}

/** How many of something there may be. */
export function countIn({ value, wrong }: Written): number | undefined {
  const isCount = Number.isInteger(value) && Number(value) >= 0 && Number(value) <= most;
  return isCount ? Number(value) : wrong(`a whole number from 0 to ${most}`, value);
}

/** A list, as the text that a switch of the server would have. */
export function listIn({ value, wrong }: Written): string | undefined {
  return Array.isArray(value) ? JSON.stringify(value) : wrong('a list');
}

/** Texts. */
export function namesIn({ value, wrong }: Written): readonly string[] | undefined {
  const isList = Array.isArray(value) && value.every((each) => typeof each === 'string');
  return isList ? value : wrong('a list of texts');
}

/** Domains of e-mail addresses, in lower case. */
export function domainsIn(written: Written): readonly string[] | undefined {
  const domains = namesIn(written)?.map((each) => each.toLowerCase());
  const foreign = domains?.find((each) => !domainForm.test(each));
  return foreign === undefined ? domains : written.wrong('domains such as example.com', foreign);
}

/** Limits of its own, each by itself. */
export function limitsIn(written: Written): TenantLimits | undefined {
  const { value, wrong } = written;
  const names = Object.keys(limitNames);
  if (!isObject(value)) return wrong(`an object of ${names.join(', ')}`);
  const foreign = Object.keys(value).find((name) => !names.includes(name));
  if (foreign !== undefined) return wrong(`an object of ${names.join(', ')}`, foreign);
  const limits = Object.entries(limitNames).flatMap(([name, property]) => {
    if (value[name] === undefined) return [];
    const least = name === 'running_calls' ? 1 : 0;
    const count = countIn({ value: value[name], wrong: wrongAt(name) });
    if (count !== undefined && count < least) wrongAt(name)(`a whole number from ${least}`, count);
    return count === undefined ? [] : [[property, count]];
  });
  return Object.fromEntries(limits);

  function wrongAt(name: string): Written['wrong'] {
    return (expected, received) => wrong(`${expected} for ${name}`, received);
  }
}
