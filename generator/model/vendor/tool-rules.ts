import { escapeStep } from '../../read/text/json-pointer.ts';
import { compiledDepth } from '../schema/compiled-depth.ts';
import { schemaFault } from '../schema/schema-check.ts';
import type { ToolSchemas } from '../schema/tool-schema.ts';
import type { CuratedOperation } from '../shape/curation.ts';
import type { ToolModel } from '../shape/provider-model.ts';
import { instructionIn } from '../texts/instruction-text.ts';
import { textProblems } from '../texts/published-texts.ts';
import type { Report } from '../texts/report.ts';
import { endlessDefinition } from './endless-schema.ts';
import { type InputSchema, mostSchemaBytes } from './inputs/input-schema.ts';
import type { ToolArgument } from './inputs/tool-argument.ts';
import { checkValues } from './inputs/value-rules.ts';
import type { RequestOrigin } from './tool-origin.ts';

const manyBytes = 8192;
const mostSchemas = 2000;
/** Of code that is nested twice as deep, V8 compiles none, and the tool would refuse every call. */
const mostLevels = 800;

/** A planned tool and what it was planned from. */
export interface CheckedTool {
  readonly entry: { readonly curated: CuratedOperation; readonly pointer: string };
  readonly origin: RequestOrigin;
  readonly given: readonly ToolArgument[];
  readonly input: InputSchema;
  readonly model: ToolModel;
  readonly schemas: ToolSchemas;
  readonly report: Report;
}

/** Check a tool against the rules that its schema cannot say (vendor-specs 5). */
export function checkTool(tool: CheckedTool): void {
  checkAnnotations(tool);
  checkContradiction(tool);
  checkArgumentNames(tool);
  checkSchema(tool);
  checkEnd(tool);
  checkInstructions(tool);
  checkTexts(tool);
  tellUnseen(tool);
  const { entry, origin, given, input, schemas, report } = tool;
  const { inputs } = origin.inputs;
  const { wholeInput = input.schema } = tool.model;
  checkValues({ entry, inputs, given, input: wholeInput, schemas, report });
}

function checkAnnotations({ entry, origin, report }: CheckedTool): void {
  const { annotations, name } = entry.curated;
  const { readOnly, destructive, override_reason } = annotations;
  const at = `${entry.pointer}/annotations`;
  const isRead = origin.method === 'GET' || origin.method === 'HEAD';
  if (isRead && !readOnly && override_reason === undefined) {
    const message = `${name} is a ${origin.method}, but not readOnly`;
    report.curation('P003', `${at}/readOnly`, message, {
      help: 'set readOnly: true, or say in override_reason what it changes',
    });
  }
  if (origin.method === 'DELETE' && destructive !== true) {
    const key = destructive === undefined ? '' : '/destructive';
    report.curation('P004', at + key, `${name} is a DELETE, but not destructive`, {
      help: 'set readOnly: false and destructive: true',
    });
  }
}

function checkContradiction({ entry, report }: CheckedTool): void {
  const { annotations, name } = entry.curated;
  if (!annotations.readOnly || annotations.destructive !== true) return;
  const at = `${entry.pointer}/annotations/destructive`;
  report.curation('P042', at, `${name} is readOnly, and destructive as well`, {
    help: 'set readOnly: false where it changes something, else leave destructive out',
  });
}

const allowedName = /^[a-zA-Z0-9_.-]{1,64}$/;

function checkArgumentNames({ entry, given, report }: CheckedTool): void {
  const seen = new Set<string>();
  for (const argument of given) {
    const { name, input } = argument;
    if (!allowedName.test(name)) {
      const message = `property name ${JSON.stringify(name)} is not 1 to 64 of a-z, A-Z, 0-9, "_", "." and "-"`;
      const help = `rename it in params.rename of ${entry.curated.name}`;
      if (input?.pointer !== undefined) report.api('P008', input.pointer, message, { help });
      else report.curation('P008', entry.pointer, message, { help });
    }
    if (seen.has(name)) {
      const key = entry.curated.params?.rename === undefined ? 'name' : 'params/rename';
      const message = `${entry.curated.name} has two arguments named "${name}"`;
      report.curation('P021', `${entry.pointer}/${key}`, message);
    }
    seen.add(name);
  }
}

function checkSchema({ entry, given, input, model, report }: CheckedTool): void {
  const { name } = entry.curated;
  const at = `${entry.pointer}/name`;
  const fault = schemaFault(input.schema);
  if (fault !== undefined) {
    const message = `the schema of ${name} is not valid at ${fault.at || '/'}: ${fault.message}`;
    const argument = given.find((one) => fault.at.split('/')[2] === one.name);
    const { from, wire = '', pointer } = argument?.input ?? {};
    if (pointer !== undefined) report.api('P009', pointer, message);
    else if (from !== 'variable') report.curation('P009', at, message);
    else {
      const variable = `${entry.pointer}/from/graphql/variables/${escapeStep(wire)}`;
      report.curation('P009', variable, message);
    }
  }
  const { bytes } = input;
  const levels = compiledDepth(model.wholeInput ?? input.schema);
  if (levels > mostLevels) {
    const message = `the schema of ${name} has so many alternatives or parts in one place that its check is ${levels} levels deep (at most ${mostLevels})`;
    report.curation('P011', at, message, {
      help: `hide the parameters that have them, or give them fewer in an overlay: ${largest(given).join(', ')}`,
    });
  } else if (bytes > mostSchemaBytes || input.size > mostSchemas) {
    const size =
      bytes > mostSchemaBytes ? `${kilobytes(bytes)} (at most 32 kB)` : `${input.size} schemas`;
    report.curation('P011', at, `the schema of ${name} has ${size}`, {
      help: `hide parameters that agents do not need: ${largest(given).join(', ')}`,
    });
  } else if (bytes > manyBytes || input.lists !== undefined) {
    const size = `${kilobytes(bytes)}${cutOf(input, model)}`;
    report.curation('SPEC021', at, `the schema of ${name} has ${size}`, {
      help: `its largest parameters: ${largest(given).join(', ')}`,
    });
  }
}

/** A value that is held against a schema without end is refused, whatever it is: no call could give it. */
function checkEnd({ entry, given, input, model, schemas, report }: CheckedTool): void {
  const { wholeInput = input.schema } = model;
  const endless = endlessDefinition(wholeInput);
  if (endless === undefined) return;
  const message = `the schema of ${entry.curated.name} comes back to itself without end at /$defs/${escapeStep(endless)}`;
  const argument = given.find(({ converted }) =>
    schemas.closure(converted.references).definitions.some(([name]) => name === endless),
  );
  if (argument?.input?.pointer === undefined)
    report.curation('P009', `${entry.pointer}/name`, message);
  else report.api('P009', argument.input.pointer, message);
}

/** What had to be cut of a schema that is too large whole. */
function cutOf({ wholeBytes, open, lists, whole }: InputSchema, { wholeInput }: ToolModel): string {
  if (wholeBytes === undefined) return '';
  const size = kilobytes(wholeBytes);
  const parts = open === undefined ? '' : `${open} of its definitions are left open and `;
  const held = wholeInput ? 'calls are held to all of it' : 'nothing of that is checked';
  const end = whole === undefined ? '' : `; ${held}`;
  if (lists === undefined) return `; ${parts}its texts are cut, with them it has ${size}${end}`;
  const values = `${lists} of its lists of values ${lists === 1 ? 'is' : 'are'} left out`;
  return `; ${parts}${values}, whole it has ${size}${end}`;
}

/** What others wrote reaches the model as a description: it must not give orders. */
function checkInstructions({ entry, given, input, report }: CheckedTool): void {
  const { curated, pointer } = entry;
  const message = (where: string, text: string) =>
    `${where} of ${curated.name} reads like an instruction to the model: ${JSON.stringify(text)}`;
  const help = 'say in other words what it is, in params.describe or with an overlay';
  for (const key of ['purpose', 'when_to_use'] as const) {
    const text = instructionIn(curated[key]);
    if (text !== undefined) report.curation('P027', `${pointer}/${key}`, message(key, text));
  }
  for (const { name, converted, input: source } of given) {
    for (const text of converted.instructions ?? []) {
      const said = message(`argument "${name}"`, text);
      if (source?.pointer !== undefined) report.api('P027', source.pointer, said, { help });
      else report.curation('P027', pointer, said, { help });
    }
  }
  for (const text of input.instructions) {
    report.curation('P027', `${pointer}/name`, message('a schema', text), { help });
  }
}

/** What cannot be cleaned, because the vendor expects it as it is, must be clean. */
function checkTexts({ entry, given, model, report }: CheckedTool): void {
  for (const { code, argument, message } of textProblems(model.definition)) {
    const source = given.find(({ name }) => name === argument)?.input?.pointer;
    if (source !== undefined) report.api(code, source, message);
    else report.curation(code, `${entry.pointer}/name`, message);
  }
}

/** Values that are left out for what they hold, of which the others stay. */
function tellUnseen({ entry, given, input, report }: CheckedTool): void {
  const { name } = entry.curated;
  const severity = 'warning';
  for (const { name: argument, converted, input: source } of given) {
    for (const note of converted.unseen ?? []) {
      const message = `argument "${argument}" of ${name} leaves out a value: it holds ${note}`;
      if (source?.pointer !== undefined) report.api('P037', source.pointer, message, { severity });
      else report.curation('P037', entry.pointer, message, { severity });
    }
  }
  for (const note of input.unseen) {
    const message = `a schema of ${name} leaves out a value: it holds ${note}`;
    report.curation('P037', `${entry.pointer}/name`, message, { severity });
  }
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} kB`;
}

function largest(given: readonly ToolArgument[]): string[] {
  const sized = given.map(({ name, converted }) => ({
    name,
    bytes: JSON.stringify(converted.schema).length + converted.references.size * 1000,
  }));
  return sized
    .toSorted((a, b) => b.bytes - a.bytes)
    .slice(0, 3)
    .map(({ name }) => name);
}
