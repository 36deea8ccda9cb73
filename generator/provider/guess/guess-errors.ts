import { isObject } from '#contract/json';
import { resolve } from '../../model/schema/api-operations.ts';
import type { Curation } from '../../model/shape/curation.ts';
import type { ApiDocument } from '../../read/document/api-document.ts';
import { mergedSchema } from '../examples/merged-schema.ts';
import type { OperationNature } from '../operations/operation-nature.ts';

const enough = 50;
/** What tells most comes first: beside `errorDescription`, `error` is a status in words. */
const messageNames = [
  ...['message', 'error_description', 'errorDescription', 'error_message', 'errorMessage'],
  ...['detail', 'error', 'title'],
];

const reasons = /^(?:error|message|detail|description|reason)/i;

/** Where failures say what is wrong, as far as their descriptions tell. */
export function guessErrors(
  document: ApiDocument,
  natures: readonly OperationNature[],
): Curation['errors'] {
  const message = messagePath(document, natures);
  const soft = natures.filter(({ content }) => hasSuccessFlag(document, content?.schema)).length;
  // Some vendors answer failures with status 200 and say so in the body.
  const isSoft = soft > natures.length / 2;
  if (message === undefined && !isSoft) return undefined;
  return {
    ...(message !== undefined && { message }),
    ...(isSoft && { soft: { path: '$.ok', equals: false, message: message ?? '$.error' } }),
  };
}

/** Whether an answer says if the call succeeded; beside a reason, or it may be what was asked for. */
function hasSuccessFlag(document: ApiDocument, schema: unknown): boolean {
  const properties = propertiesOf(document, schema);
  const flag = mergedSchema(document, properties['ok']);
  const hasReason = Object.keys(properties).some((name) => reasons.test(name));
  return flag['const'] === true || (flag['type'] === 'boolean' && hasReason);
}

function messagePath(
  document: ApiDocument,
  natures: readonly OperationNature[],
): string | undefined {
  for (const { operation } of natures.slice(0, enough)) {
    const { node, pointer } = operation;
    const responses = isObject(node['responses']) ? node['responses'] : {};
    for (const [status, raw] of Object.entries(responses)) {
      if (!/^(4|default)/.test(status) || !isObject(raw)) continue;
      const found = messageIn(document, resolve(document, { node: raw, pointer }).node);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function messageIn(document: ApiDocument, response: Record<string, unknown>): string | undefined {
  const content = isObject(response['content']) ? Object.values(response['content']) : [];
  for (const media of content) {
    if (!isObject(media)) continue;
    const properties = propertiesOf(document, media['schema']);
    for (const name of messageNames) {
      const property = mergedSchema(document, properties[name]);
      if (property['type'] === 'string') return `$.${name}`;
      const inner = propertiesOf(document, property);
      if (mergedSchema(document, inner['message'])['type'] === 'string') return `$.${name}.message`;
    }
    const first = firstMessage(document, properties['errors']);
    if (first !== undefined) return `$.errors[0]${first}`;
  }
  return undefined;
}

/** Where the first of several errors says what is wrong (JSON:API 1.1, error objects). */
function firstMessage(document: ApiDocument, errors: unknown): string | undefined {
  const { type, items } = mergedSchema(document, errors);
  if (![type].flat().includes('array')) return undefined;
  const item = mergedSchema(document, items);
  if (item['type'] === 'string') return '';
  const texts = propertiesOf(document, item);
  const name = messageNames.find(
    (each) => mergedSchema(document, texts[each])['type'] === 'string',
  );
  return name === undefined ? undefined : `.${name}`;
}

function propertiesOf(document: ApiDocument, schema: unknown): Record<string, unknown> {
  const { properties } = mergedSchema(document, schema);
  return isObject(properties) ? properties : {};
}
