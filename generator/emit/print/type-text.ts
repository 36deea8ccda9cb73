import ts from 'typescript';
import { isObject, type JsonSchema } from '#contract/json';
import { docComment } from './doc-comment.ts';
import { propertyName } from './literal.ts';
import { quoted } from './quoted.ts';

/** `export interface Name { ... }`, or `export type Name = ...` where the type is no object. */
export function namedType(name: string, type: ts.TypeNode, schema: JsonSchema): string {
  const comment = docComment(descriptionOf(schema));
  if (!ts.isTypeLiteralNode(type)) {
    return `${comment}export type ${name} = ${typeText(type)};`;
  }
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const members = type.members.map((member) => memberText(member, properties));
  return `${comment}export interface ${name} {\n${members.join('')}}`;
}

function memberText(member: ts.TypeElement, properties: Record<string, unknown>): string {
  if (!ts.isPropertySignature(member)) return `  ${inlineMember(member)};\n`;
  const schema = properties[keyOf(member)];
  const docs = docComment(isObject(schema) ? descriptionOf(schema) : [], 1);
  return `${docs}  ${inlineMember(member)};\n`;
}

function descriptionOf(schema: JsonSchema): string[] {
  const description = schema['description'];
  return typeof description === 'string' ? [`${description.replace(/\.$/, '')}.`] : [];
}

/** Print a type on one line, with the names of components in place of the paths to them. */
function typeText(type: ts.TypeNode): string {
  if (ts.isUnionTypeNode(type)) return type.types.map(typeText).join(' | ');
  if (ts.isIntersectionTypeNode(type)) return type.types.map(typeText).join(' & ');
  if (ts.isParenthesizedTypeNode(type)) return `(${typeText(type.type)})`;
  if (ts.isArrayTypeNode(type)) return `${typeText(type.elementType)}[]`;
  if (ts.isTypeOperatorNode(type)) return `readonly ${typeText(type.type)}`;
  if (ts.isTupleTypeNode(type)) return `[${type.elements.map(typeText).join(', ')}]`;
  if (ts.isTypeLiteralNode(type)) return `{ ${type.members.map(inlineMember).join('; ')} }`;
  if (ts.isIndexedAccessTypeNode(type)) return stringOf(type.indexType) ?? written(type);
  const text = stringOf(type);
  return text === undefined ? written(type) : quoted(text);
}

function inlineMember(member: ts.TypeElement): string {
  if (ts.isPropertySignature(member) && member.type !== undefined) {
    return `${propertyHead(member)}: ${typeText(member.type)}`;
  }
  if (ts.isIndexSignatureDeclaration(member)) {
    return `readonly [key: string]: ${typeText(member.type)}`;
  }
  throw new Error(`openapi-typescript wrote a member that is not expected: ${written(member)}`);
}

function propertyHead(member: ts.PropertySignature): string {
  return `readonly ${propertyName(keyOf(member))}${member.questionToken ? '?' : ''}`;
}

function keyOf({ name }: ts.PropertySignature): string {
  return ts.isStringLiteral(name) || ts.isIdentifier(name) ? name.text : written(name);
}

/** What a string literal type says. */
function stringOf(type: ts.TypeNode): string | undefined {
  const literal = ts.isLiteralTypeNode(type) ? type.literal : undefined;
  return literal && ts.isStringLiteral(literal) ? literal.text : undefined;
}

const printer = ts.createPrinter();
const nowhere = ts.createSourceFile('types.ts', '', ts.ScriptTarget.Latest);

/** A node as the compiler prints it. */
function written(node: ts.Node): string {
  return printer.printNode(ts.EmitHint.Unspecified, node, nowhere);
}
