import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import test from 'node:test';
import { isObject, type JsonSchema } from '#contract/json';
import { type ApiOperation, nodeAt } from '../../generator/model/schema/api-operations.ts';
import type { ApiDocument } from '../../generator/read/document/api-document.ts';
import { readApi } from '../../generator/read/read-api.ts';
import { createSchemaCompiler } from '../../runtime/admission/steps/schema-compiler.ts';
import { sampleValue } from '../contract/sample/sample-value.ts';
import { findDescriptions } from '../contract/setup/descriptions.ts';
import { openCorpus } from './entries.ts';
import { changedValues } from './exact/changed-values.ts';
import { DocumentOracle, problemOf, sureNames } from './exact/document-oracle.ts';
import { type JsonBody, jsonBodies } from './exact/json-bodies.ts';

/** Larger ones take most of the time and have few forms that no other has. */
const largest = 400_000;
const attempts = 3;

/** A part that closes itself to what stands beside it in the whole is taken for a slip. */
const closedPart = ' must NOT have additional properties';

interface Difference {
  readonly where: string;
  readonly value: unknown;
  /** What the description has against it, or the tool. */
  readonly ofDescription: string;
  readonly ofTool: string;
}

const vendors = process.env['OPENAPI_VENDORS'];
const corpus = openCorpus();
test.after(() => corpus.close());
const descriptions = [
  ...(vendors === undefined ? [] : findDescriptions([], vendors)),
  ...corpus.entries.filter(({ isGood }) => isGood),
].filter(({ file }) => statSync(file).size <= largest);

test('a tool takes the bodies that its description takes, and no others', async () => {
  const counts = { taken: 0, refused: 0 };
  const differences: Difference[] = [];
  for (const { name, file, root } of descriptions) {
    const { document } = await readApi({ file, root, base: root });
    if (!document) continue;
    const oracle = new DocumentOracle(document.root);
    for (const body of bodiesOf(document)) {
      differences.push(...compare(name, oracle, body, counts));
    }
  }
  assert.deepEqual(differences.slice(0, 20), [], `${differences.length} differences`);
  assert.ok(counts.taken > 20 && counts.refused > 20, JSON.stringify(counts));
});

function bodiesOf(document: ApiDocument): readonly JsonBody[] {
  try {
    return jsonBodies(document);
  } catch {
    // No tool can be planned, which the tests of drafts are about.
    return [];
  }
}

function isDemanded({ node: { requestBody } }: ApiOperation): boolean {
  return isObject(requestBody) && requestBody['required'] === true;
}

/** Values of which the description and the tool do not say the same. */
function compare(
  name: string,
  oracle: DocumentOracle,
  { tool, operation, pointer, parameters }: JsonBody,
  counts: { taken: number; refused: number },
): Difference[] {
  const judge = oracle.judge(pointer);
  const own = bodyPart(tool.definition.input, parameters);
  if (!own) return [];
  const validate = compiled(own.schema);
  const found: Difference[] = [];
  for (const value of valuesAt(oracle, pointer)) {
    if (!own.isWhole && !Object.keys(value).every((key) => own.names.has(key))) continue;
    // Without an argument there is no body, which is what a description allows that demands none.
    const isNone = !own.isWhole && Object.keys(value).length === 0;
    if (isNone && !isDemanded(operation) && own.schema.required.length === 0) continue;
    const ofDescription = judge(value);
    if (ofDescription === undefined || ofDescription === closedPart) continue;
    const ofTool = problemOf(validate, own.isWhole ? { body: value } : value);
    counts[ofDescription === '' ? 'taken' : 'refused'] += 1;
    if ((ofDescription === '') === (ofTool === '')) continue;
    if (found.some((one) => (one.ofTool === '') === (ofTool === ''))) continue;
    found.push({
      where: `${name} ${operation.method} ${operation.path}`,
      value,
      ofDescription,
      ofTool,
    });
  }
  return found;
}

/** The schema of a tool without the arguments that are no part of the body. */
function bodyPart(input: JsonSchema, parameters: ReadonlySet<string>) {
  const properties = Object.entries(isObject(input['properties']) ? input['properties'] : {});
  const members = properties.filter(([name]) => !parameters.has(name));
  const names = new Set(members.map(([name]) => name));
  if (names.size === 0) return undefined;
  const required = Array.isArray(input['required']) ? input['required'] : [];
  return {
    schema: {
      ...input,
      properties: Object.fromEntries(members),
      required: required.filter((name) => names.has(name)),
    },
    names,
    isWhole: names.size === 1 && names.has('body'),
  };
}

function compiled(schema: JsonSchema) {
  const { compile } = createSchemaCompiler({ allErrors: false });
  return compile(schema);
}

function* valuesAt({ root }: DocumentOracle, pointer: string): Generator<Record<string, unknown>> {
  const schema = nodeAt(root, pointer);
  const sure = new Set(sureNames(root, schema));
  for (const extent of ['required', 'all', 'edges'] as const) {
    for (let attempt = 0; attempt < attempts; attempt++) {
      const value = sampleValue(schema, { root, extent, attempt, count: 0 });
      if (!isObject(value)) return;
      yield value;
      if (attempt === 0) yield* changedValues(value, (name) => sure.has(name));
    }
  }
}
