import { isObject } from '#contract/json';
import { type ApiOperation, resolve } from '../../model/schema/api-operations.ts';
import type { CuratedBody } from '../../model/shape/curation.ts';
import { type ChosenBody, chooseBody } from '../../model/vendor/inputs/body-form.ts';
import { takesOtherMembers } from '../../model/vendor/inputs/rest-of-body.ts';
import type { ApiDocument } from '../../read/document/api-document.ts';
import { escapeStep } from '../../read/text/json-pointer.ts';
import { type CuratedUse, isNoticed } from './curated-use.ts';
import type { Told } from './drift-change.ts';
import type { Comparing } from './parameter-changes.ts';
import type { Finding } from './schema/finding.ts';
import { closedText } from './schema/schema-changes.ts';
import { type Schema, viewOf } from './schema/schema-view.ts';
import { toldOf } from './told-finding.ts';

/** Compare what is sent as the body (OpenAPI 3.1, request body object). */
export function bodyChanges(
  was: ApiOperation,
  now: ApiOperation,
  { before, after, written, use }: Comparing,
  curated: CuratedBody = {},
): readonly Told[] {
  const pointer = `${now.pointer}/requestBody`;
  const [old, chosen] = [chooseBody(before, was, curated), chooseBody(after, now, curated)];
  const isDemanded = isRequired(after, now);
  if (!old && !chosen) return [];
  if (!old) {
    if (isDemanded)
      return [{ kind: 'narrowed', text: 'a body is new and required', pointer, breaks: true }];
    return [{ kind: 'widened', text: 'a body is new', pointer, breaks: false }];
  }
  if (!chosen) {
    return [{ kind: 'narrowed', text: 'the body is gone', pointer: now.pointer, breaks: true }];
  }
  const same = mediaOf(after, now, old.form.contentType);
  const found: Finding[] = [
    ...demand([was, now], [before, after], pointer),
    ...written.changes(schemaOf(old), same ?? schemaOf(chosen)),
  ];
  return [
    ...(same ? [] : [otherType(old, chosen)]),
    ...found
      .filter((one) => one.text !== closedText || one.steps.length > 0 || isOpen(before, old))
      .filter((one) => isNoticed(use.of('body', ...namesOf(one, curated)), one))
      .map((one) => toldOf(one, [], 'the body')),
    ...encodingChanges(old, chosen, found, use),
  ];
}

/** Whether callers can send members that nobody names: those with a name are arguments each. */
function isOpen(document: ApiDocument, body: ChosenBody): boolean {
  const { properties } = viewOf(document, schemaOf(body));
  return properties.size === 0 || takesOtherMembers(document, body.schema.node);
}

/** A body that may be left out is left out where none of its members is given. */
function demand(
  [was, now]: readonly [ApiOperation, ApiOperation],
  [before, after]: readonly [ApiDocument, ApiDocument],
  pointer: string,
): Finding[] {
  if (isRequired(before, was) === isRequired(after, now)) return [];
  const here = { steps: [], pointer };
  if (isRequired(after, now)) return [{ ...here, effect: 'narrowed', text: 'is required now' }];
  return [{ ...here, effect: 'widened', text: 'may be left out now' }];
}

function isRequired(document: ApiDocument, { node }: ApiOperation): boolean {
  const body = node['requestBody'];
  return (
    resolve(document, { node: isObject(body) ? body : {}, pointer: '' }).node['required'] === true
  );
}

/** Names by which a curation may speak of what stands at a path of the body. */
function namesOf({ steps }: Finding, { wrap, flatten }: CuratedBody): string[] {
  const [first, second] = steps.filter((step) => typeof step === 'string');
  if (first === undefined) return [];
  if (second === undefined) return [first];
  if (first === wrap) return [second];
  return flatten ? [first, second, `${first}_${second}`] : [first];
}

function schemaOf({ schema }: ChosenBody): Schema {
  return [schema];
}

/** The schema of the media type that is sent today, where it is among those that are taken. */
function mediaOf(document: ApiDocument, { node, pointer }: ApiOperation, type: string) {
  const given = isObject(node['requestBody']) ? node['requestBody'] : {};
  const body = resolve(document, { node: given, pointer: `${pointer}/requestBody` });
  const content = isObject(body.node['content']) ? body.node['content'] : {};
  const found = Object.entries(content).find(([other]) => essence(other) === essence(type));
  if (!found) return undefined;
  const [key, media] = found;
  const schema = isObject(media) && isObject(media['schema']) ? media['schema'] : {};
  return [{ node: schema, pointer: `${body.pointer}/content/${escapeStep(key)}/schema` }];
}

/** Parameters of a media type, such as its charset, change nothing that is sent here. */
export function essence(type: string): string {
  return (type.split(';', 1)[0] ?? '').trim().toLowerCase();
}

function otherType(
  { form: was }: ChosenBody,
  { form: now, schema: { pointer } }: ChosenBody,
): Told {
  const text = `body is sent as ${essence(now.contentType)}, not ${essence(was.contentType)}`;
  return { kind: 'altered', text, pointer, breaks: true };
}

/** How members of a form are written (OpenAPI 3.1, encoding object). */
function encodingChanges(
  was: ChosenBody,
  now: ChosenBody,
  found: readonly Finding[],
  use: CuratedUse,
): Told[] {
  if (was.form.kind === 'json' || was.form.kind !== now.form.kind) return [];
  const properties = isObject(was.schema.node['properties']) ? was.schema.node['properties'] : {};
  return Object.keys(properties).flatMap((name) => {
    const [before, after] = [was, now].map((body) => {
      const { style, explode, contentType } = body.encodingOf(name);
      return JSON.stringify([style, explode, contentType]);
    });
    const isGone = found.some(({ steps: [first, ...rest] }) => first === name && rest.length === 0);
    if (before === after || isGone || use.of('body', name).is === 'nothing') return [];
    const text = `${name} is written otherwise in the body`;
    return [{ kind: 'altered', text, pointer: now.schema.pointer, breaks: true } as const];
  });
}
