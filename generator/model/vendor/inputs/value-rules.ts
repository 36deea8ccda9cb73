import type { Json, JsonSchema } from '#contract/json';
import { escapeStep } from '../../../read/text/json-pointer.ts';
import { valueFault } from '../../schema/schema-check.ts';
import type { ToolSchemas } from '../../schema/tool-schema.ts';
import type { CuratedOperation } from '../../shape/curation.ts';
import type { Report } from '../../texts/report.ts';
import { curatedEntry } from './curated-names.ts';
import type { ToolArgument } from './tool-argument.ts';
import type { ToolInput } from './tool-input.ts';

interface CheckedValues {
  readonly entry: { readonly curated: CuratedOperation; readonly pointer: string };
  readonly inputs: readonly ToolInput[];
  readonly given: readonly ToolArgument[];
  readonly input: JsonSchema;
  readonly schemas: ToolSchemas;
  readonly report: Report;
}

/** Report values in the curation that the schemas of their parameters refuse (P019). */
export function checkValues(checked: CheckedValues): void {
  const { entry, inputs, given, schemas, report } = checked;
  const { params = {}, name: tool } = entry.curated;
  for (const key of ['fixed', 'defaults', 'examples'] as const) {
    for (const [name, value] of Object.entries(params[key] ?? {})) {
      const input = inputs.find((one) => curatedEntry({ [name]: true }, one));
      const made = given.find((argument) => argument.name === name);
      const schema = input === undefined ? made?.converted.schema : input.schema;
      if (schema === undefined) continue;
      const fault = faultOf(schema, value, schemas);
      if (fault === undefined) continue;
      const at = `${entry.pointer}/params/${key}/${escapeStep(name)}`;
      report.curation('P019', at, `${JSON.stringify(value)} does not fit "${name}": ${fault}`);
    }
  }
  for (const [index, { arguments: args = {} }] of (entry.curated.examples ?? []).entries()) {
    const fault = valueFault(checked.input, args);
    if (fault === undefined) continue;
    const at = `${entry.pointer}/examples/${index}/arguments${fault.at}`;
    report.curation('P019', at, `${tool} would refuse these arguments: ${fault.message}`);
  }
}

function faultOf(schema: unknown, value: Json, schemas: ToolSchemas): string | undefined {
  const { schema: converted, references } = schemas.convert(schema);
  const { definitions } = schemas.closure(references);
  return valueFault({ ...converted, $defs: Object.fromEntries(definitions) }, value)?.message;
}
