import { readFileSync } from 'node:fs';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { diagnose } from '../../diagnostics/diagnose.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { DiagnosticCode } from '../../diagnostics/diagnostic-codes.ts';
import { suggestion } from '../../diagnostics/suggestion.ts';
import { escapeStep, parsePointer } from './json-pointer.ts';
import type { ParsedFile } from './parsed-file.ts';
import { readYaml } from './yaml-file.ts';

/** A file of the house that its JSON Schema accepts, or what is wrong with it. */
export interface CheckedFile<Content> {
  readonly file: ParsedFile;
  /** Absent when something is wrong. */
  readonly content?: Content;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Read a YAML file and check it against `specs/schemas/<kind>.schema.json`; `Content` is what that
 * allows.
 */
export function readChecked<Content>(
  path: string,
  base: string,
  kind: string,
): CheckedFile<Content> {
  return checkFile(readYaml(path, base), kind);
}

/** Check a file that has been read against the schema of its kind. */
export function checkFile<Content>(file: ParsedFile, kind: string): CheckedFile<Content> {
  const faulty = file.diagnostics.some(({ severity }) => severity === 'error');
  if (faulty || file.value === undefined) return { file, diagnostics: file.diagnostics };
  const problems = problemsIn(file.value, kind);
  if (problems.length === 0) {
    return { file, content: file.value as Content, diagnostics: file.diagnostics };
  }
  const found = problems.map(({ code, pointer, message, help }) =>
    diagnose(
      code,
      { ...file.locate(pointer), pointer },
      message,
      help === undefined ? {} : { help },
    ),
  );
  return { file, diagnostics: [...file.diagnostics, ...found] };
}

const validators = new Map<string, ValidateFunction>();
let ajv: Ajv2020 | undefined;

function validatorOf(kind: string): ValidateFunction {
  const known = validators.get(kind);
  if (known !== undefined) return known;
  if (ajv === undefined) {
    // A test holds that the schemas are valid: to compile what they are held against takes longer.
    // Nor is their code made shorter: to run it as it is takes less than that.
    const code = { optimize: false };
    ajv = new Ajv2020({
      allErrors: true,
      verbose: true,
      strict: false,
      validateSchema: false,
      code,
    });
    addFormats.default(ajv);
  }
  const text = schemaText(kind);
  for (const [, other = ''] of text.matchAll(/"\$ref": "([a-z-]+)\.schema\.json#/g)) {
    // One that was compiled already is known under its `$id`.
    if (!ajv.getSchema(`${other}.schema.json`)) ajv.addSchema(JSON.parse(schemaText(other)));
  }
  const shared = ajv.getSchema(`${kind}.schema.json`);
  const validate = shared ?? ajv.compile(JSON.parse(text));
  validators.set(kind, validate);
  return validate;
}

/** The text of a schema of `specs/schemas/`. */
export function schemaText(kind: string): string {
  const path = new URL(`../../../specs/schemas/${kind}.schema.json`, import.meta.url);
  return readFileSync(path, 'utf8');
}

/** What is wrong with a part of a file, by JSON pointers into that part. */
export function problemsIn(value: unknown, kind: string): readonly Problem[] {
  const validate = validatorOf(kind);
  if (validate(value)) return [];
  return (validate.errors ?? []).flatMap((error) => problemOf(error, kind) ?? []);
}

export interface Problem {
  readonly code: DiagnosticCode;
  readonly pointer: string;
  readonly message: string;
  readonly help?: string;
}

const longestToolName = 48;

/** Say what a schema error means; `undefined` for those that only repeat another one. */
function problemOf(error: ErrorObject, kind: string): Problem | undefined {
  const { keyword, instancePath: pointer, params, parentSchema = {}, data, schemaPath } = error;
  const code = kind === 'provider-curation' ? 'P018' : 'SPEC005';
  switch (keyword) {
    case 'additionalProperties': {
      const key = String(params['additionalProperty']);
      const allowed = Object.keys(parentSchema['properties'] ?? {});
      const at = `${pointer}/${escapeStep(key)}`;
      return { code, pointer: at, message: `unknown key "${key}"`, help: suggestion(key, allowed) };
    }
    case 'required':
      if (/\/oneOf\/\d+\/required$/.test(schemaPath)) return undefined;
      return { code, pointer, message: `the key "${params['missingProperty']}" is missing` };
    case 'enum': {
      const values = (params['allowedValues'] as unknown[]).map(String);
      const message = `${keyAt(pointer)} may not be ${shown(data)}`;
      // A comma without quotes makes a map of a text.
      return { code, pointer, message, help: suggestion(named(data), values) };
    }
    case 'oneOf':
      return { code, pointer, message: `exactly one of these is needed: ${choices(parentSchema)}` };
    case 'pattern':
      return patternProblem(error, code);
    case 'false schema':
      return { code, pointer, message: 'this key does not belong here' };
    case 'if':
    case 'propertyNames':
      return undefined;
    default:
      return { code, pointer, message: `${keyAt(pointer)} ${formText(error)}` };
  }
}

function named(data: unknown): string {
  return typeof data === 'object' && data !== null ? '' : String(data);
}

function patternProblem(
  { instancePath: pointer, propertyName, params, data }: ErrorObject,
  code: DiagnosticCode,
): Problem {
  const wanted = `must match ${params['pattern']}`;
  if (propertyName !== undefined) {
    const at = `${pointer}/${escapeStep(propertyName)}`;
    return { code, pointer: at, message: `the key ${shown(propertyName)} ${wanted}` };
  }
  const isName = /^\/operations\/\d+\/name$/.test(pointer);
  if (isName && typeof data === 'string' && data.length > longestToolName) {
    const message = `tool name "${data}" has ${data.length} characters, at most ${longestToolName} are allowed`;
    return { code: 'P002', pointer, message };
  }
  const message = `${keyAt(pointer)} ${wanted}, but it is ${shown(data)}`;
  return { code, pointer, message };
}

/** What a value should be, and what it is. */
function formText({ keyword, params, data, message = 'is not allowed' }: ErrorObject): string {
  switch (keyword) {
    case 'type':
      return `must be of type ${[params['type']].flat().join(' or ')}, but it is ${shown(data)}`;
    case 'minLength':
    case 'maxLength': {
      const bound = `at ${keyword === 'minLength' ? 'least' : 'most'} ${params['limit']}`;
      return `must have ${bound} characters, but it has ${[...String(data)].length}`;
    }
    default:
      return `${message}, but it is ${shown(data)}`;
  }
}

/** The key that a value stands under, with its position where that is a list. */
function keyAt(pointer: string): string {
  const steps = parsePointer(pointer);
  const named = steps.findLastIndex((step) => !/^\d+$/.test(step));
  if (named === -1) return 'the file';
  const positions = steps.slice(named + 1).map((step) => `[${step}]`);
  return `"${steps[named]}${positions.join('')}"`;
}

function choices({ oneOf }: Record<string, unknown>): string {
  const members = Array.isArray(oneOf) ? oneOf : [];
  return members.map((member) => (member.required ?? [member.type]).join(' and ')).join(', ');
}

function shown(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'a map';
  return JSON.stringify(value);
}
