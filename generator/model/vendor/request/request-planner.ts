import type { ToolSchemas } from '../../schema/tool-schema.ts';
import { valueKinds } from '../../schema/value-kinds.ts';
import type { CuratedOperation } from '../../shape/curation.ts';
import type { BodyPlan, Field, PathPart, RequestPlan, Value } from '../../shape/request-plan.ts';
import type { Sent } from '../inputs/tool-argument.ts';
import type { BodyForm, ToolInput, ToolInputs } from '../inputs/tool-input.ts';
import {
  besideEachOther,
  call,
  formField,
  headerValue,
  type OnWire,
  partValue,
  pathValue,
  queryField,
} from '../inputs/value-encoding.ts';

interface Wanted {
  readonly method: string;
  readonly path: string;
  readonly server?: string | undefined;
  readonly curated: CuratedOperation;
  readonly inputs: ToolInputs;
  readonly sent: readonly Sent[];
  readonly continueAt?: Value | undefined;
  readonly schemas: ToolSchemas;
  /** Name of the constant that holds the GraphQL document. */
  readonly constant: string;
}

interface Filled {
  readonly input: ToolInput;
  readonly value: Value;
}

/** Plan the request of a tool: every part of it as an expression over arguments and constants. */
export function planRequest(wanted: Wanted): RequestPlan {
  const { method, server, curated, continueAt } = wanted;
  const filled = wanted.sent.flatMap(({ input, value }) => (value ? [{ input, value }] : []));
  const from = (...places: ToolInput['from'][]) =>
    filled.filter(({ input }) => places.includes(input.from));
  const wire = ({ input }: Filled) => onWire(wanted, input);
  const body = planBody(wanted, from('body', 'variable'));
  return {
    method,
    path: planPath(wanted, from('path')),
    ...(server !== undefined && { server }),
    query: besideEachOther([
      ...from('querystring').map(({ value }) => ({ spread: value })),
      ...from('query').map((one) => queryField(wire(one), one.value)),
    ]),
    headers: [
      ...Object.entries(curated.headers ?? {}).map(([name, value]): Field => constant(name, value)),
      ...from('header').map((one) => ({
        name: one.input.wire,
        value: headerValue(wire(one), one.value),
      })),
    ],
    ...(body !== undefined && { body }),
    ...(continueAt !== undefined && { continueAt }),
  };
}

function constant(name: string, value: string): Field {
  return { name, value: { kind: 'constant', value } };
}

function onWire({ schemas }: Wanted, { style, wire, schema }: ToolInput): OnWire {
  return { style, name: wire, kinds: valueKinds(schemas.document, schema) };
}

function planPath(wanted: Wanted, filled: readonly Filled[]): PathPart[] {
  return wanted.path.split(/(\{[^{}]*\})/).flatMap((text): PathPart[] => {
    if (text === '') return [];
    if (!text.startsWith('{')) return [{ text }];
    const one = filled.find(({ input }) => input.wire === text.slice(1, -1));
    if (one === undefined) return [{ text }];
    if (one.value.kind === 'constant')
      return [{ text: encodeURIComponent(String(one.value.value)) }];
    const isFirst = wanted.path.startsWith(`/${text}`);
    return [{ value: pathValue(onWire(wanted, one.input), one.value, isFirst) }];
  });
}

function planBody(wanted: Wanted, filled: readonly Filled[]): BodyPlan | undefined {
  const { graphql, body } = wanted.inputs;
  if (graphql !== undefined) {
    const variables = objectOf(filled.map(({ input, value }) => ({ path: input.path, value })));
    return { kind: 'graphql', document: graphql.document, constant: wanted.constant, variables };
  }
  if (body === undefined) return undefined;
  const whole = filled.find(({ input }) => input.path.length === 0);
  if (body.kind === 'raw') {
    // Of a range of types the file says which one it is.
    const contentType = body.types === undefined ? body.contentType : '*/*';
    return whole && { kind: 'raw', value: whole.value, contentType };
  }
  if (whole === undefined && filled.length === 0) return undefined;
  const isOptional = !filled.some(
    ({ input, value }) => input.required || value.kind === 'constant',
  );
  return {
    kind: body.kind,
    value: whole?.value ?? membersOf(wanted, body, filled),
    ...(isUnusual(body) && { contentType: body.contentType }),
    optional: isOptional && !body.required,
  };
}

function isUnusual({ kind, contentType }: BodyForm): boolean {
  return kind === 'json' && !/^(?:application\/json|\*\/\*)$/i.test(contentType);
}

function membersOf(wanted: Wanted, body: BodyForm, filled: readonly Filled[]): Value {
  if (body.kind !== 'form') {
    const isParts = body.kind === 'multipart';
    const written = ({ input, value }: Filled) =>
      isParts && input.path.length === 1 ? partValue(onWire(wanted, input), value) : value;
    const named = filled.filter(({ input }) => !input.isRest);
    const members = objectOf(named.map((one) => ({ path: one.input.path, value: written(one) })));
    const names = named.flatMap(({ input, value }) => ownName(input.wire, value));
    const rest = filled.flatMap(({ input, value }) =>
      input.isRest ? [{ spread: call('others', value, { after: [names] }) }] : [],
    );
    return { ...members, fields: [...rest, ...members.fields] };
  }
  const fields = filled.map(({ input, value }) => {
    const wire = onWire(wanted, input);
    const style = body.deep ? { ...wire.style, style: 'deepObject' } : wire.style;
    return formField({ ...wire, style }, value);
  });
  return { kind: 'object', fields: besideEachOther(fields) };
}

/** A member that has an argument of its own, and how that is called where it is not by the same name. */
function ownName(wire: string, value: Value): (string | [string, string])[] {
  if (value.kind === 'call') return ownName(wire, value.value);
  if (value.kind !== 'argument') return [];
  return [value.name === wire ? wire : [wire, value.name]];
}

type ObjectValue = Extract<Value, { kind: 'object' }>;

/** Put values where their paths say, into objects within objects. */
function objectOf(members: readonly { path: readonly string[]; value: Value }[]): ObjectValue {
  const byName = Map.groupBy(members, ({ path }) => path[0] ?? '');
  const fields = Array.from(byName, ([name, within]): Field => {
    const [only] = within;
    if (only !== undefined && only.path.length === 1) return { name, value: only.value };
    const inner = within.map(({ path, value }) => ({ path: path.slice(1), value }));
    return { name, value: objectOf(inner) };
  });
  return { kind: 'object', fields };
}
