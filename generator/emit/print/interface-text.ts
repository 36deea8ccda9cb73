import { docComment } from './doc-comment.ts';
import { lineWidth, propertyName } from './literal.ts';

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
  return `${docComment(docs, 1)}  ${head}:${afterColon(type, head.length + 3)};\n`;
}

/** A union that is too long for its line has one member on each. */
function afterColon(type: string, used: number): string {
  const members = type.split(' | ');
  const fits = used + type.length + 2 <= lineWidth;
  if (fits || members.length < 2) return ` ${type}`;
  return members.map((member) => `\n    | ${member}`).join('');
}
