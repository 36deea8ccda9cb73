import type { JsonSchema } from '#contract/json';
import type { Provider } from '#contract/provider';
import { isListItself, type ResponseShape } from '#contract/tool';
import type { ApiOperations } from '../schema/api-operations.ts';
import type { ToolSchemas } from '../schema/tool-schema.ts';
import type { WholeSchemas } from '../schema/whole-schemas.ts';
import type { CuratedOperation, Curation } from '../shape/curation.ts';
import type { ToolModel } from '../shape/provider-model.ts';
import { documentName } from '../texts/names.ts';
import type { Report } from '../texts/report.ts';
import { type OutputNode, objectNode, unknownNode } from './answer/output-node.ts';
import { outputSchema } from './answer/output-schema.ts';
import { planAnswer } from './answer/response-plan.ts';
import { argumentModels } from './inputs/argument-models.ts';
import { bodyMembers } from './inputs/body-members.ts';
import { bodyRules } from './inputs/body-rules.ts';
import { inputSchema, toldCut } from './inputs/input-schema.ts';
import { planInputs } from './inputs/plan-inputs.ts';
import { withClosedRest } from './inputs/rest-of-body.ts';
import { planRequest } from './request/request-planner.ts';
import { callLimits, toolDefinition } from './tool-definition.ts';
import { findOrigin, type RequestOrigin } from './tool-origin.ts';
import { checkTool } from './tool-rules.ts';

/** What all tools of a provider are planned with. */
export interface ToolPlanning {
  readonly curation: Curation;
  readonly api: ApiOperations;
  readonly schemas: ToolSchemas;
  readonly wholes: WholeSchemas;
  readonly settings: Omit<Provider, 'tools'>;
  readonly report: Report;
}

/** The entry of a tool in the curation and the names that its constants have. */
export interface PlannedEntry {
  readonly curated: CuratedOperation;
  /** JSON pointer of the entry. */
  readonly pointer: string;
  readonly exportName: string;
  readonly argumentsType: string;
}

/** Plan one tool; `undefined` where the curation does not lead to a request. */
export function planTool(entry: PlannedEntry, planning: ToolPlanning): ToolModel | undefined {
  const { curated, pointer, exportName, argumentsType } = entry;
  const { curation, schemas, wholes } = planning;
  const origin = findOrigin(curated, pointer, planning);
  if (origin === undefined) return undefined;
  const { paging, pagination, sent, ...planned } = planInputs(entry, origin.inputs, planning);
  const given = withClosedRest(planned.given, sent);
  const { whole, notes } = origin.inputs;
  const members = bodyMembers(sent, given, schemas);
  const rest = given.find(({ input: of }) => of?.isRest)?.name;
  const together = whole && bodyRules(whole, { members, rest }, schemas);
  const input = inputSchema(given, notes, schemas, together);
  const wholeInput = input.whole && wholes.keep(input.whole);
  const shown = input.whole ? toldCut(input.schema, wholeInput !== undefined) : input.schema;
  const answer = planAnswer({ entry, pagination, paging, answer: origin.answer, ...planning });
  const told = answer.response?.location ? locationNode : origin.answer;
  const known = isJson(curated) ? told : shapedNode(answer.response, origin.xmlAnswer);
  const output = known && outputSchema(known, answer.response, origin.followed);
  const response = withForm(answer.response, output, origin);
  const models = argumentModels(given, schemas.document, origin.inputs.body);
  const model: ToolModel = {
    definition: toolDefinition(curated, curation, { input: shown, output }),
    ...(wholeInput && { wholeInput }),
    purpose: curated.purpose,
    ...(curated.when_to_use !== undefined && { whenToUse: curated.when_to_use }),
    resource: curated.resource,
    exportName,
    ...(models.length > 0 && { argumentsType }),
    origin: origin.shown,
    arguments: models,
    request: planRequest({
      ...origin,
      curated,
      sent,
      continueAt: paging?.continueAt,
      schemas,
      constant: documentName(exportName),
    }),
    behaviour: { ...answer, ...(response && { response }), ...callLimits(curated) },
    pointer,
    examples: (curated.examples ?? []).map(({ arguments: args = {}, note }) => ({
      arguments: args,
      ...(note !== undefined && { note }),
    })),
  };
  checkTool({ entry, origin, given, input, model, ...planning });
  return model;
}

/** The shape, with what is promised, and a mark where another form than `output` tells of is right. */
function withForm(
  shape: ResponseShape | undefined,
  output: JsonSchema | undefined,
  { answer, mayBeElse, types }: RequestOrigin,
): ResponseShape | undefined {
  const promised = types === undefined ? shape : { ...shape, types };
  const { decode = 'json' } = shape ?? {};
  // Where neither a member nor a type is known, nothing is held against the answer.
  const isHeld = types !== undefined || output?.['properties'] !== undefined;
  if (!isHeld || decode !== 'json') return promised;
  const wanted = shape && isListItself(shape) ? 'array' : 'object';
  // Where nothing is described, the curation alone says that there is a list.
  const isTold = types === undefined || shape?.items !== undefined;
  const isSure = answer
    ? !mayBeElse && answer.types.size === 1 && answer.types.has(wanted)
    : isTold;
  return isSure ? promised : { ...promised, anyForm: true };
}

/** What a redirection becomes that is not followed. */
const locationNode = objectNode(
  new Map([['location', { ...unknownNode, types: new Set(['string']) }]]),
);

/** What is known of an answer that no schema describes: the shape that the curation gives it. */
function shapedNode(
  { decode, items, map }: ResponseShape = {},
  xml: OutputNode = unknownNode,
): OutputNode | undefined {
  if (map !== undefined) return decode === 'xml' ? xml : unknownNode;
  return items === undefined ? undefined : unknownNode;
}

function isJson({ response }: CuratedOperation): boolean {
  return response?.decode === undefined || response.decode === 'json';
}
