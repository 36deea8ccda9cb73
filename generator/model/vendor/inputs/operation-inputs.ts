import { isObject } from '#contract/json';
import type { ApiDocument } from '../../../read/document/api-document.ts';
import { type ApiOperation, type ApiParameter, parametersOf } from '../../schema/api-operations.ts';
import { valueKinds } from '../../schema/value-kinds.ts';
import type { CuratedBody } from '../../shape/curation.ts';
import { chooseBody } from './body-form.ts';
import { bodyInputs } from './body-inputs.ts';
import { type BodyForm, type ToolInput, type ToolInputs, withoutClashes } from './tool-input.ts';

/** Collect what a request of an operation can carry: parameters, then the members of its body. */
export function operationInputs(
  document: ApiDocument,
  operation: ApiOperation,
  curated: CuratedBody = {},
): ToolInputs {
  const parameters = parametersOf(document, operation).flatMap(parameterInput);
  const body = chooseBody(document, operation, curated);
  if (body === undefined) return { inputs: withoutClashes(parameters), notes: [] };
  const { inputs, notes, whole } = bodyInputs(document, body, curated);
  return {
    inputs: withoutClashes([...parameters, ...inputs]),
    body: formOf(document, body.form, inputs),
    notes,
    ...(whole && { whole }),
  };
}

/** A form without fields can only be sent as the text that the caller writes. */
function formOf(document: ApiDocument, form: BodyForm, inputs: readonly ToolInput[]): BodyForm {
  const whole = inputs.find(({ path }) => path.length === 0);
  const isForm = form.kind === 'form' || form.kind === 'multipart';
  if (!isForm || whole === undefined || valueKinds(document, whole.schema).object) return form;
  return { ...form, kind: 'raw' };
}

function parameterInput(parameter: ApiParameter): ToolInput[] {
  const { node, name, required, pointer } = parameter;
  // A cookie would travel beside the operator's own; the argument list offers none.
  if (parameter.in === 'cookie') return [];
  const description = typeof node['description'] === 'string' ? node['description'] : undefined;
  const from = parameter.in;
  const schema = schemaOf(node);
  return [
    { from, wire: name, path: [], name, schema, required, description, style: node, pointer },
  ];
}

/** The schema of a parameter, which may stand under its only media type. */
function schemaOf(node: Record<string, unknown>): unknown {
  if (node['schema'] !== undefined) return node['schema'];
  const [media] = isObject(node['content']) ? Object.values(node['content']) : [];
  return isObject(media) ? (media['schema'] ?? {}) : {};
}
