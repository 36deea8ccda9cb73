import { docComment } from './doc-comment.ts';
import { propertyName } from './literal.ts';

/** A property of an interface. */
export interface Property {
  readonly name: string;
  readonly type: string;
  readonly docs?: readonly string[];
  readonly readonly?: boolean;
  readonly optional?: boolean;
}

/** Print an exported interface. */
export function interfaceText(
  name: string,
  docs: readonly string[],
  properties: readonly Property[],
): string {
  const lines = properties.map(propertyText);
  return `${docComment(docs)}export interface ${name} {\n${lines.join('')}}`;
}

function propertyText({ name, type, docs = [], readonly, optional }: Property): string {
  const head = `${readonly ? 'readonly ' : ''}${propertyName(name)}${optional ? '?' : ''}`;
  return `${docComment(docs, 1)}  ${head}: ${type};\n`;
}
