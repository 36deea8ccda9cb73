import { isObject, type JsonPath } from '#contract/json';
import type { Paging } from '#contract/tool';
import { ApiOperations } from '../../../generator/model/schema/api-operations.ts';
import type { ProviderModel } from '../../../generator/model/shape/provider-model.ts';
import type { ProviderSources } from '../../../generator/model/shape/provider-sources.ts';
import { operationInputs } from '../../../generator/model/vendor/inputs/operation-inputs.ts';
import {
  paginationOf,
  pagingInput,
  positionName,
} from '../../../generator/model/vendor/inputs/paging.ts';
import { mergedSchema } from '../../../generator/provider/examples/merged-schema.ts';
import { positionNames } from '../../../generator/provider/guess/pages/page-inputs.ts';
import { natureOf } from '../../../generator/provider/operations/operation-nature.ts';
import { sampleValue } from '../sample/sample-value.ts';

/** A tool that reads page after page. */
export interface ListTool {
  readonly name: string;
  readonly paging: Paging;
  readonly items: JsonPath;
  /** The parameter or member of the body that says where a page begins, where the document has one. */
  readonly wire: string | undefined;
  /** A value that the document allows for it. */
  readonly position: string | number;
}

/** A token as vendors make them: it has to be encoded in an address. */
const usualToken = 'c2Vjb25kIHBhZ2U+/w==';
const constraints = ['pattern', 'format', 'enum', 'const', 'maxLength', 'anyOf', 'oneOf'];

/** The tools of a vendor that page, by name. */
export function listTools(
  { document, curation }: ProviderSources,
  { tools }: ProviderModel,
): ReadonlyMap<string, ListTool> {
  const operations = new ApiOperations(document);
  const found = new Map<string, ListTool>();
  for (const { definition, origin, behaviour } of tools) {
    const { paging, response } = behaviour;
    if (!paging) continue;
    const { name } = definition;
    const operation = operations.byRoute.get(`${origin.method} ${origin.path}`);
    const own = curation.operations.find((each) => each.name === name);
    const pagination = paginationOf(curation.pagination, own?.pagination);
    const inputs = operation ? operationInputs(document, operation, own?.body).inputs : [];
    const input = pagination && pagingInput(inputs, positionName(pagination));
    // Where an address is followed, the curation need not say what of it is the position.
    const [usual] = operation ? positionNames(document, natureOf(document, operation)) : [];
    const carried = input ?? pagingInput(inputs, usual);
    const position = positionFor(mergedSchema(document, carried?.schema));
    const items = response?.items ?? paging.counted ?? [];
    found.set(name, { name, paging, items, wire: carried?.wire, position });
  }
  return found;
}

function positionFor(schema: Readonly<Record<string, unknown>>): string | number {
  const { type } = schema;
  if (type === 'integer' || type === 'number') return 2;
  if (!constraints.some((keyword) => keyword in schema)) return usualToken;
  const value = sampleValue(schema, { root: schema, extent: 'all', attempt: 0, count: 0 });
  return typeof value === 'number' || (typeof value === 'string' && !isObject(value))
    ? value
    : usualToken;
}
