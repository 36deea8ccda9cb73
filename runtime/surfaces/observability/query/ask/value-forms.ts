import { ServiceError } from '#contract/errors';
import { type ValueForm, valueForms } from '#contract/telemetry/placeholders';
import { namesOfLevel } from '../answers/visible-text.ts';

const writers: Readonly<Record<ValueForm, (value: string) => string>> = {
  /** Go and all languages that borrow from it: LogQL, LogsQL, PromQL, TraceQL. */
  quoted: (value) => JSON.stringify(value),
  lucene,
  /** Any of the names of a level, in Lucene. */
  any: (value) => spellingsOf(value).map(lucene).join(' OR '),
  list: (value) => namesOfLevel(value).join(','),
  /** A regular expression for the names of a level. */
  oneof: (value) => JSON.stringify(`^(${spellingsOf(value).map(escaped).join('|')})$`),
  /** Name of a field in Lucene, whose query language has signs of its own. */
  field: (value) => word(value).replace(/[:/-]/g, '\\$&'),
  /** Nanoseconds as milliseconds. */
  millis: (value) => decimal(BigInt(value)),
  /** Name of a label, as OpenTelemetry's translation to Prometheus makes it of an attribute. */
  label: (value) => value.replace(/\W/g, '_').replace(/^(?=\d)/, '_'),
  /** A regular expression that finds the text anywhere. */
  pattern: (value) => JSON.stringify(`.*${escaped(value)}.*`),
  /** Whatever else than a word stands in it matches any character. */
  wild: (value) => value.replace(/[^\w./-]/g, '?'),
  sql: (value) => `'${value.replace(/[\\']/g, '\\$&')}'`,
  word,
};

/** @throws ServiceError `invalid_query` where the value cannot stand there */
export function inForm(value: string, form: string | undefined): string {
  if (form === undefined) return value;
  const known = valueForms.find((each) => each === form);
  if (known === undefined) throw new Error(`a value has no form ${form}`);
  return writers[known](value);
}

function spellingsOf(level: string): readonly string[] {
  const names = namesOfLevel(level);
  const others = names.flatMap((name) => [
    name.toUpperCase(),
    `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`,
  ]);
  return [...new Set([...names, ...others])];
}

function escaped(value: string): string {
  return value.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

function decimal(ns: bigint): string {
  const fraction = (ns % 1_000_000n).toString().padStart(6, '0').replace(/0+$/, '');
  return `${ns / 1_000_000n}${fraction === '' ? '' : `.${fraction}`}`;
}

function lucene(value: string): string {
  return `"${value.replace(/[\\"]/g, '\\$&')}"`;
}

function word(value: string): string {
  if (/^[\w:./-]{1,256}$/.test(value)) return value;
  const shown = JSON.stringify(value.slice(0, 60));
  const message = `${shown} must be a name of letters, digits and any of _ : . / - here`;
  throw new ServiceError('invalid_query', 400, message);
}
