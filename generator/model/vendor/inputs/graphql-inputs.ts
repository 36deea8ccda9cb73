// Its parts, for the whole of it takes longer to load than all else.
import { GraphQLError } from 'graphql/error';
import {
  Kind,
  type OperationDefinitionNode,
  parse,
  type TypeNode,
  type VariableDefinitionNode,
} from 'graphql/language';
import { valueFromASTUntyped } from 'graphql/utilities/valueFromASTUntyped.js';
import type { JsonSchema } from '#contract/json';
import type { ApiDocument } from '../../../read/document/api-document.ts';
import type { CuratedBody, CuratedOrigin } from '../../shape/curation.ts';
import { openedInputs } from './body-inputs.ts';
import { type ToolInput, type ToolInputs, withoutClashes } from './tool-input.ts';

/** A GraphQL document that cannot become a tool; the message says why. */
export class GraphqlDocumentError extends Error {}

type Graphql = NonNullable<CuratedOrigin['graphql']>;

/** The scalar types that every GraphQL service has (October 2021 specification, section 3.5). */
const scalars: Readonly<Record<string, JsonSchema>> = {
  String: { type: 'string' },
  ID: { type: 'string' },
  Int: { type: 'integer' },
  Float: { type: 'number' },
  Boolean: { type: 'boolean' },
};

/** Collect the variables of a GraphQL operation; those of other than scalar types need a schema. */
export function graphqlInputs(
  document: ApiDocument | undefined,
  graphql: Graphql,
  curated: CuratedBody = {},
): ToolInputs {
  const operation = parseOperation(graphql.document);
  const given = graphql.variables ?? {};
  const declared = new Set(
    operation.variableDefinitions?.map(({ variable }) => variable.name.value),
  );
  const surplus = Object.keys(given).find((name) => !declared.has(name));
  if (surplus !== undefined) {
    throw new GraphqlDocumentError(`the document has no variable "$${surplus}"`);
  }
  const inputs = (operation.variableDefinitions ?? []).flatMap((definition) => {
    const input = variableInput(definition, given);
    const isWrapped = curated.wrap === input.wire;
    if (document === undefined || !(isWrapped || curated.flatten)) return [input];
    const prefix = isWrapped ? '' : `${input.wire}_`;
    return openedInputs(document, input, prefix);
  });
  const name = operation.name?.value ?? operation.operation;
  return {
    inputs: withoutClashes(inputs),
    graphql: { document: graphql.document, operation: `${operation.operation} ${name}` },
    notes: [],
  };
}

/** Parse a document that holds one named operation, beside fragments. */
export function parseOperation(text: string): OperationDefinitionNode {
  let operations: OperationDefinitionNode[];
  try {
    const { definitions } = parse(text);
    operations = definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION);
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    const at = error.locations?.[0];
    const where = at === undefined ? '' : ` (line ${at.line}, column ${at.column} of the document)`;
    throw new GraphqlDocumentError(error.message + where);
  }
  const [operation] = operations;
  if (operation === undefined || operations.length > 1) {
    throw new GraphqlDocumentError(`one operation was expected, not ${operations.length}`);
  }
  if (operation.name === undefined) throw new GraphqlDocumentError('the operation needs a name');
  return operation;
}

function variableInput(
  definition: VariableDefinitionNode,
  given: Readonly<Record<string, JsonSchema>>,
): ToolInput {
  const name = definition.variable.name.value;
  const own = Object.hasOwn(given, name) ? given[name] : undefined;
  const { defaultValue } = definition;
  const schema = {
    ...(own ?? typeSchema(definition.type, name)),
    ...(defaultValue && { default: valueFromASTUntyped(defaultValue) }),
  };
  const required = definition.type.kind === Kind.NON_NULL_TYPE && defaultValue === undefined;
  return { from: 'variable', wire: name, path: [name], name, schema, required, style: {} };
}

function typeSchema(type: TypeNode, variable: string): JsonSchema {
  if (type.kind === Kind.NON_NULL_TYPE) return typeSchema(type.type, variable);
  if (type.kind === Kind.LIST_TYPE)
    return { type: 'array', items: typeSchema(type.type, variable) };
  const schema = scalars[type.name.value];
  if (schema !== undefined) return schema;
  throw new GraphqlDocumentError(
    `variable "$${variable}" has the type ${type.name.value}, so variables needs a schema for it`,
  );
}
