import { isObject } from '#contract/json';
import { type ApiOperation, type Place, resolve } from '../../model/schema/api-operations.ts';
import type { ApiDocument } from '../../read/document/api-document.ts';
import { escapeStep } from '../../read/text/json-pointer.ts';
import type { AnswerUse } from './answer-use.ts';
import { essence } from './body-changes.ts';
import type { Told } from './drift-change.ts';
import type { Finding } from './schema/finding.ts';
import { pathOf } from './schema/finding.ts';
import type { SchemaComparison } from './schema/schema-changes.ts';
import { toldOf } from './told-finding.ts';

/** An answer of success: its media types, each with the place of its schema. */
interface Answer {
  readonly status: string;
  readonly pointer: string;
  readonly media: ReadonlyMap<string, Place>;
  /** Names in lower case: headers have no case (RFC 9110 section 5.1). */
  readonly headers: ReadonlySet<string>;
}

/** What answers are compared with. */
interface Reading {
  readonly read: SchemaComparison;
  readonly use: AnswerUse;
  /** Headers of answers that the curation reads, in lower case. */
  readonly headers: readonly string[];
}

/** Compare the answers of success (OpenAPI 3.1, responses object). */
export function answerChanges(
  [before, was]: readonly [ApiDocument, ApiOperation],
  [after, now]: readonly [ApiDocument, ApiOperation],
  { read, use, headers }: Reading,
): readonly Told[] {
  const old = answersOf(before, was);
  const own = answersOf(after, now);
  const found = old.flatMap((answer) => {
    const current = partnerOf(answer, old, own);
    return current ? contentChanges(answer, current, { read, use }) : gone(answer, now);
  });
  return [...found, ...goneHeaders([old, own], headers, now)];
}

/** Headers that the curation reads and that no answer has any longer. */
function goneHeaders(
  [old, own]: readonly [readonly Answer[], readonly Answer[]],
  read: readonly string[],
  { pointer }: ApiOperation,
): Told[] {
  const declares = (answers: readonly Answer[], name: string) =>
    answers.some(({ headers }) => headers.has(name));
  return read
    .filter((name) => declares(old, name) && !declares(own, name))
    .map((name) => ({
      ...{
        kind: 'narrowed',
        text: `the header ${name} is gone from the answer; curation.yaml reads it`,
      },
      ...{ pointer: `${own[0]?.pointer ?? pointer}/headers`, breaks: true, curated: true },
    }));
}

/** The answer of the same status, else one whose status was not there: 201 may have become 200. */
function partnerOf({ status }: Answer, old: readonly Answer[], own: readonly Answer[]) {
  const same = own.find((one) => one.status === status);
  if (same) return same;
  const known = new Set(old.map((one) => one.status));
  return own.find((one) => !known.has(one.status));
}

function gone({ status, media }: Answer, { pointer }: ApiOperation): Told[] {
  if (media.size === 0) return [];
  const text = `the answer ${status} is gone`;
  return [{ kind: 'narrowed', text, pointer: `${pointer}/responses`, breaks: true }];
}

function contentChanges(
  was: Answer,
  now: Answer,
  { read, use }: Pick<Reading, 'read' | 'use'>,
): Told[] {
  const { pointer } = now;
  const [type] = was.media.keys();
  const [other] = now.media.keys();
  if (type === undefined) {
    if (other === undefined) return [];
    const text = `the answer has content now, of ${other}`;
    return [{ kind: 'widened', text, pointer, breaks: false }];
  }
  if (other === undefined) {
    const text = `the answer has no content now, not ${type}`;
    return [{ kind: 'narrowed', text, pointer, breaks: true }];
  }
  const chosen = now.media.has(type) ? type : ([...now.media.keys()].find(isJson) ?? other);
  const schemas = [was.media.get(type), now.media.get(chosen)].flatMap((one) => one ?? []);
  const isReadAlike = isJson(type) === isJson(chosen) && (isJson(type) || type === chosen);
  const media: Told = {
    kind: 'altered',
    text: `the answer is ${chosen}, not ${type}`,
    pointer,
    breaks: !isReadAlike,
  };
  const [old, own] = schemas;
  const found = old && own && isJson(type) && isJson(chosen) ? read.changes([old], [own]) : [];
  return [...(chosen === type ? [] : [media]), ...found.flatMap((one) => toldAnswer(one, use))];
}

function toldAnswer(finding: Finding, use: AnswerUse): Told[] {
  const readers = finding.effect === 'narrowed' ? use.readersOf(finding) : [];
  if (readers.length === 0 && !use.isDelivered(finding)) return [];
  const told = toldOf({ ...finding, text: inAnswer(finding) }, [], 'the answer');
  if (readers.length === 0) return [told];
  const reading = `${readers.join(', ')} in curation.yaml ${readers.length > 1 ? 'lead' : 'leads'} there`;
  return [{ ...told, text: `${told.text}; ${reading}`, curated: true }];
}

/** `name of the answer is integer, not string`. */
function inAnswer({ steps, text }: Finding): string {
  return pathOf(steps) === '' || text.endsWith('the answer') ? text : `of the answer ${text}`;
}

function isJson(type: string): boolean {
  return /^(?:application|text)\/(?:[\w.+-]+\+)?json$|^\*\/\*$/.test(type);
}

/** The successes, or what stands for all statuses, as a provider keeps them of its description. */
function answersOf(document: ApiDocument, { node, pointer }: ApiOperation): Answer[] {
  const responses = isObject(node['responses']) ? node['responses'] : {};
  const found = Object.keys(responses).filter((key) => key.startsWith('2'));
  const statuses = found.length > 0 ? found : Object.keys(responses).filter(isDefault);
  return statuses.map((status) => {
    const given = responses[status];
    const at = `${pointer}/responses/${status}`;
    const response = resolve(document, { node: isObject(given) ? given : {}, pointer: at });
    const content = isObject(response.node['content']) ? response.node['content'] : {};
    const kept = Object.entries(content).toSorted(
      ([a], [b]) => Number(isJson(essence(b))) - Number(isJson(essence(a))),
    );
    const media = kept.map(([type, value]) => {
      const schema = isObject(value) && isObject(value['schema']) ? value['schema'] : {};
      const place = `${response.pointer}/content/${escapeStep(type)}/schema`;
      return [essence(type), { node: schema, pointer: place }] as const;
    });
    const key = status === 'default' ? '200' : status.replace(/XX$/i, '00');
    const declared = isObject(response.node['headers']) ? response.node['headers'] : {};
    const headers = new Set(Object.keys(declared).map((name) => name.toLowerCase()));
    return { status: key, pointer: response.pointer, media: new Map(media), headers };
  });
}

function isDefault(status: string): boolean {
  return status === 'default';
}
