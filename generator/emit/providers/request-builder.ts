import type { ArgumentModel, ToolModel } from '../../model/shape/provider-model.ts';
import type { BodyPlan, Field, PathPart, Value } from '../../model/shape/request-plan.ts';
import { Call, Code, lineWidth, literal, propertyName, Spread } from '../print/literal.ts';
import { templateText } from '../print/quoted.ts';

/** The names of the contract that a tool calls, by module. */
export interface UsedNames {
  readonly path: Set<string>;
  readonly request: Set<string>;
  readonly relaxed: Set<string>;
}

const pathHelpers = new Set(['simple', 'segments', 'label', 'matrix']);

/**
 * Print the request builder of a tool: straight-line code that shows the wire format. `depth` is
 * how deep the line is indented on which it begins.
 */
export function requestBuilder(tool: ToolModel, used: UsedNames, depth: number): Code {
  const { method, path, server, query, headers, body, continueAt } = tool.request;
  const printer = new ExpressionPrinter(tool.arguments, used);
  const request = {
    method,
    path: printer.path(path),
    server,
    query: query.length === 0 ? undefined : printer.object(query),
    headers: headers.length === 0 ? undefined : printer.object(headers),
    body: body && printer.body(body),
    continueAt: continueAt && printer.value(continueAt),
  };
  const head = `(${parameters(tool.arguments, printer.usedLocals, depth)}) => (`;
  const indent = '  '.repeat(depth);
  const before = `${indent}request: `.length + (head.split('\n').at(-1) ?? '').length;
  const isBroken = head.includes('\n');
  const text = literal(request, { depth, used: isBroken ? lineWidth : before, after: 2 });
  return new Code(`${head}${text})`.replaceAll(`\n${indent}`, '\n'));
}

/** The arguments that the builder takes apart, on one line where they fit. */
function parameters(
  all: readonly ArgumentModel[],
  used: ReadonlySet<string>,
  depth: number,
): string {
  const taken = all.filter(({ name }) => used.has(name));
  if (taken.length === 0) return '';
  const flat = `{ ${taken.map((argument) => binding(argument)).join(', ')} }`;
  const indent = '  '.repeat(depth);
  if (!flat.includes('\n') && `${indent}request: (${flat}) => ({`.length <= lineWidth) return flat;
  const lines = taken.map((argument) => `${indent}  ${binding(argument, depth + 1)},\n`);
  return `{\n${lines.join('')}${indent}}`;
}

function binding({ name, local, default: start }: ArgumentModel, depth = 0): string {
  const target = local === undefined || name === local ? name : `${propertyName(name)}: ${local}`;
  if (start === undefined) return target;
  const place = { depth, used: depth * 2 + target.length + ' = '.length, after: 1 };
  return `${target} = ${literal(start, place)}`;
}

class ExpressionPrinter {
  readonly usedLocals = new Set<string>();
  readonly #locals: ReadonlyMap<string, string>;
  readonly #used: UsedNames;

  constructor(all: readonly ArgumentModel[], used: UsedNames) {
    this.#locals = new Map(all.map(({ name, local }) => [name, local ?? name]));
    this.#used = used;
  }

  path(parts: readonly PathPart[]): Code {
    const text = parts.map((part) => {
      if ('text' in part) return templateText(part.text);
      return `\${${literal(this.value(part.value))}}`;
    });
    return new Code(`path\`${text.join('')}\``);
  }

  value(value: Value): unknown {
    switch (value.kind) {
      case 'constant':
        return value.value;
      case 'argument':
        this.usedLocals.add(value.name);
        return new Code(this.#locals.get(value.name) ?? value.name);
      case 'call': {
        const { helper, before = [], after = [] } = value;
        (pathHelpers.has(helper) ? this.#used.path : this.#used.request).add(helper);
        return new Call(helper, [...before, this.value(value.value), ...after]);
      }
      case 'object':
        return this.object(value.fields);
    }
  }

  object(fields: readonly Field[]): Record<string, unknown> {
    const entries = fields.map((field, index): [string, unknown] => {
      if ('name' in field) return [field.name, this.value(field.value)];
      return [`spread ${index}`, new Spread(literal(this.value(field.spread)))];
    });
    return Object.fromEntries(entries);
  }

  body(body: BodyPlan): Call {
    const { request } = this.#used;
    request.add(body.kind);
    if (body.kind === 'graphql') {
      return new Call('graphql', [new Code(body.constant), this.value(body.variables)]);
    }
    const value = this.value(body.value);
    if (body.kind === 'raw') return new Call('raw', [value, body.contentType]);
    const type = body.contentType === undefined ? [] : [body.contentType];
    const call = new Call(body.kind, [value, ...type]);
    if (!body.optional) return call;
    request.add('optional');
    return new Call('optional', [call]);
  }
}
