import { createHash } from 'node:crypto';
import { parse } from 'yaml';
import { comparableText, isObject } from '#contract/json';
import type { AlertCatalog, AlertGroup, AlertRule } from './alert-rule.ts';
import { parseDuration } from './duration.ts';

/** What is wrong with a file of rules, and where. */
export class RuleFileError extends Error {
  constructor(path: string, where: string, problem: string) {
    super(`${path}: ${where === '' ? '' : `${where}: `}${problem}`);
    this.name = 'RuleFileError';
  }
}

const groupKeys = new Set(['name', 'interval', 'limit', 'rules']);
const ruleKeys = new Set([
  ...['alert', 'record', 'expr', 'for', 'keep_firing_for'],
  ...['labels', 'annotations'],
]);
/** Prometheus, data model: label names. */
const labelForm = /^[a-zA-Z_][a-zA-Z0-9_]*$/;
const defaultIntervalMs = 60_000;
/** Rules of a file: each is a query, over and over. */
export const mostRules = 500;
const longestExpr = 16_384;

/**
 * Read a file of rules (Prometheus, recording and alerting rules). As there, an unknown key is an
 * error. Rules that record are left to those who keep metrics.
 *
 * @throws RuleFileError
 */
export function readRules(text: string, path: string): AlertCatalog {
  const fail = (where: string, problem: string): never => {
    throw new RuleFileError(path, where, problem);
  };
  const { groups = [] } = objectIn(yamlIn(text, fail), '', new Set(['groups']), fail);
  if (!Array.isArray(groups)) return fail('groups', 'must be a list');
  const read = groups.map((group: unknown, index) => readGroup(group, `groups[${index}]`, fail));
  const names = read.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) fail('groups', `two of them are called ${JSON.stringify(twice)}`);
  const count = read.reduce((sum, { rules }) => sum + rules.length, 0);
  if (count > mostRules) fail('groups', `there are ${count} alerts, and ${mostRules} at most`);
  const sha256 = createHash('sha256').update(text).digest('hex');
  return { path, sha256, groups: read };
}

type Fail = (where: string, problem: string) => never;

function yamlIn(text: string, fail: Fail): unknown {
  try {
    // Aliases could make a small file large.
    return parse(text, { maxAliasCount: 0 });
  } catch (error) {
    return fail('', `is no YAML: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function readGroup(value: unknown, where: string, fail: Fail): AlertGroup {
  const group = objectIn(value, where, groupKeys, fail);
  const name = textIn(group['name'], `${where}.name`, fail);
  const { rules = [], interval } = group;
  if (!Array.isArray(rules)) return fail(`${where}.rules`, 'must be a list');
  const intervalMs =
    interval === undefined
      ? defaultIntervalMs
      : durationIn(interval, `${where}.interval`, fail).milliseconds;
  if (intervalMs === 0) fail(`${where}.interval`, 'must not be 0');
  const read = rules.flatMap((rule: unknown, index) =>
    readRule(rule, name, `${where}.rules[${index}]`, fail),
  );
  return { name, intervalMs, rules: read };
}

function readRule(value: unknown, group: string, where: string, fail: Fail): AlertRule[] {
  const rule = objectIn(value, where, ruleKeys, fail);
  const expr = textIn(rule['expr'], `${where}.expr`, fail);
  if (expr.length > longestExpr) fail(`${where}.expr`, `is longer than ${longestExpr} characters`);
  if (rule['record'] !== undefined && rule['alert'] === undefined) return [];
  const alert = textIn(rule['alert'], `${where}.alert`, fail);
  const hold = durationIn(rule['for'] ?? '0s', `${where}.for`, fail);
  const keep = durationIn(rule['keep_firing_for'] ?? '0s', `${where}.keep_firing_for`, fail);
  const labels = textsIn(rule['labels'], `${where}.labels`, fail);
  const annotations = textsIn(rule['annotations'], `${where}.annotations`, fail);
  const name = createHash('sha256').update(comparableText({ expr, labels })).digest('hex');
  return [
    {
      ...{ id: `${group}/${alert}/${name.slice(0, 16)}`, group, alert, expr },
      ...{ forMs: hold.milliseconds, forText: hold.text, keepMs: keep.milliseconds },
      ...{ labels, annotations },
    },
  ];
}

function objectIn(value: unknown, where: string, keys: ReadonlySet<string>, fail: Fail) {
  if (!isObject(value)) return fail(where, 'must be a map');
  const unknown = Object.keys(value).find((key) => !keys.has(key));
  if (unknown === undefined) return value;
  return fail(where, `there is no ${JSON.stringify(unknown)} here, only ${[...keys].join(', ')}`);
}

function textIn(value: unknown, where: string, fail: Fail): string {
  // A query such as 1 is a number to YAML.
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text === 'string' && text.trim() !== '') return text.trim();
  return fail(where, 'must be a text, and not be empty');
}

function textsIn(value: unknown, where: string, fail: Fail): Readonly<Record<string, string>> {
  if (value === undefined || value === null) return {};
  if (!isObject(value)) return fail(where, 'must be a map');
  const entries = Object.entries(value).map(([name, text]): readonly [string, string] => {
    if (!labelForm.test(name)) fail(where, `${JSON.stringify(name)} is no name of a label`);
    const isPlain = ['string', 'number', 'boolean'].includes(typeof text);
    return isPlain ? [name, String(text)] : fail(`${where}.${name}`, 'must be a text');
  });
  return Object.fromEntries(entries);
}

function durationIn(value: unknown, where: string, fail: Fail) {
  const text = String(value);
  const milliseconds = parseDuration(text);
  if (milliseconds !== undefined) return { text, milliseconds };
  return fail(where, `must be a time such as 30s, 5m or 1h30m, but it is ${JSON.stringify(text)}`);
}
