import { isObject } from '#contract/json';
import {
  type ApiOperation,
  ApiOperations,
  parametersOf,
  resolve,
} from '../../../generator/model/schema/api-operations.ts';
import type { ToolModel } from '../../../generator/model/shape/provider-model.ts';
import { planProvider } from '../../../generator/model/vendor/plan-provider.ts';
import type { ApiDocument } from '../../../generator/read/document/api-document.ts';
import { escapeStep } from '../../../generator/read/text/json-pointer.ts';

/** An operation with a JSON body, the schema of that body in its description, and the tool. */
export interface JsonBody {
  readonly tool: ToolModel;
  readonly operation: ApiOperation;
  /** JSON pointer of the schema. */
  readonly pointer: string;
  /** Names of the arguments that are no part of the body. */
  readonly parameters: ReadonlySet<string>;
}

/** So many operations of one description, spread over all of them. */
const mostOperations = 8;

/** The operations of a description that take JSON, each as a tool that nobody has curated. */
export function jsonBodies(document: ApiDocument): readonly JsonBody[] {
  const { all } = new ApiOperations(document);
  const found = all.flatMap((operation) => {
    const place = bodySchema(document, operation);
    return place ? [{ operation, ...place }] : [];
  });
  const step = Math.max(1, Math.floor(found.length / mostOperations));
  const chosen = found.filter((_, index) => index % step === 0).slice(0, mostOperations);
  const { model } = planProvider({
    ...{ folder: 'specs/providers/any', document, fixtures: [], curationFile: document },
    curation: {
      ...{ provider: 'any', title: 'Any' },
      servers: [{ url: 'https://api.example.com' }],
      auth: [{ type: 'none' }],
      operations: chosen.map(({ operation: { method, path } }, index) => ({
        ...{ name: `any_things_${index}`, resource: 'things', purpose: 'Send a thing as it is' },
        from: { method, path },
        annotations: { readOnly: false, destructive: true, idempotent: false },
      })),
    },
  });
  return chosen.flatMap((body, index) => {
    const tool = model.tools.find(({ definition }) => definition.name === `any_things_${index}`);
    const parameters = parametersOf(document, body.operation).map(({ name }) => name);
    return tool ? [{ ...body, tool, parameters: new Set(parameters) }] : [];
  });
}

function bodySchema(document: ApiDocument, operation: ApiOperation) {
  if (!isObject(operation.node['requestBody'])) return undefined;
  const place = {
    node: operation.node['requestBody'],
    pointer: `${operation.pointer}/requestBody`,
  };
  const { node, pointer } = resolve(document, place);
  const content = isObject(node['content']) ? node['content'] : {};
  const media = content['application/json'];
  if (!isObject(media) || !isObject(media['schema'])) return undefined;
  return { pointer: `${pointer}/content/${escapeStep('application/json')}/schema` };
}
