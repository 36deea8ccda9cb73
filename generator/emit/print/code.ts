import { docComment } from './doc-comment.ts';
import { Code, propertyName, Spread, scalar } from './literal.ts';
import { Printed } from './printed.ts';
import { isIdentifier, quoted } from './quoted.ts';

/** A value as a TypeScript expression, for a template: the formatter lays it out. */
export function value(of: unknown): Printed {
  return new Printed(expression(of));
}

/** A text as a string literal. */
export function text(of: string): Printed {
  return new Printed(quoted(of));
}

/** A doc comment over these paragraphs, for a place that is indented by `depth` steps. */
export function comment(paragraphs: readonly string[], depth = 0): Printed {
  return new Printed(docComment(paragraphs, depth).trim());
}

/** The name of a constant, a function or a type. */
export function identifier(name: string): Printed {
  if (!isIdentifier(name)) throw new Error(`${JSON.stringify(name)} is no identifier`);
  return new Printed(name);
}

/** The name of a property, in quotes where it needs them. */
export function property(name: string): Printed {
  return new Printed(propertyName(name));
}

function expression(of: unknown): string {
  if (of instanceof Printed) return String(of);
  if (of instanceof Code) return of.text;
  if (Array.isArray(of)) return `[${of.map(expression).join(', ')}]`;
  if (typeof of !== 'object' || of === null) return scalar(of);
  const members = Object.entries(of).flatMap(([key, member]) => {
    if (member === undefined) return [];
    if (member instanceof Spread) return [`...${member.text}`];
    return [`${propertyName(key)}: ${expression(member)}`];
  });
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}
