import { Node, type PropertySignature, type TypeElementTypes, type TypeNode } from 'ts-morph';
import { isObject, type JsonSchema } from '#contract/json';
import { docComment } from './doc-comment.ts';
import { propertyName } from './literal.ts';
import { quoted } from './quoted.ts';

/** `export interface Name { ... }`, or `export type Name = ...` where the type is no object. */
export function namedType(name: string, type: TypeNode, schema: JsonSchema): string {
  const comment = docComment(descriptionOf(schema));
  if (!Node.isTypeLiteral(type)) {
    return `${comment}export type ${name} = ${typeText(type)};`;
  }
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const members = type.getMembers().map((member) => memberText(member, properties));
  return `${comment}export interface ${name} {\n${members.join('')}}`;
}

function memberText(member: TypeElementTypes, properties: Record<string, unknown>): string {
  if (!Node.isPropertySignature(member)) return `  ${inlineMember(member)};\n`;
  const schema = properties[keyOf(member)];
  const docs = docComment(isObject(schema) ? descriptionOf(schema) : [], 1);
  return `${docs}  ${inlineMember(member)};\n`;
}

function descriptionOf(schema: JsonSchema): string[] {
  const description = schema['description'];
  return typeof description === 'string' ? [`${description.replace(/\.$/, '')}.`] : [];
}

/** Print a type on one line, with the names of components in place of the paths to them. */
function typeText(type: TypeNode): string {
  if (Node.isUnionTypeNode(type)) return type.getTypeNodes().map(typeText).join(' | ');
  if (Node.isIntersectionTypeNode(type)) return type.getTypeNodes().map(typeText).join(' & ');
  if (Node.isParenthesizedTypeNode(type)) return `(${typeText(type.getTypeNode())})`;
  if (Node.isArrayTypeNode(type)) return `${typeText(type.getElementTypeNode())}[]`;
  if (Node.isTypeOperatorTypeNode(type)) return `readonly ${typeText(type.getTypeNode())}`;
  if (Node.isTupleTypeNode(type)) return `[${type.getElements().map(typeText).join(', ')}]`;
  if (Node.isTypeLiteral(type)) return `{ ${type.getMembers().map(inlineMember).join('; ')} }`;
  if (Node.isIndexedAccessTypeNode(type)) return stringOf(type.getIndexTypeNode());
  const text = stringOf(type);
  return text === type.getText() ? text : quoted(text);
}

function inlineMember(member: TypeElementTypes): string {
  if (Node.isPropertySignature(member)) {
    return `${propertyHead(member)}: ${typeText(member.getTypeNodeOrThrow())}`;
  }
  if (Node.isIndexSignatureDeclaration(member)) {
    return `readonly [key: string]: ${typeText(member.getReturnTypeNodeOrThrow())}`;
  }
  throw new Error(`openapi-typescript wrote a member that is not expected: ${member.getText()}`);
}

function propertyHead(member: PropertySignature): string {
  return `readonly ${propertyName(keyOf(member))}${member.hasQuestionToken() ? '?' : ''}`;
}

function keyOf(member: PropertySignature): string {
  const name = member.getNameNode();
  return Node.isStringLiteral(name) ? name.getLiteralValue() : member.getName();
}

/** What a string literal type says; the text of any other type. */
function stringOf(type: TypeNode): string {
  const literal = Node.isLiteralTypeNode(type) ? type.getLiteral() : undefined;
  return Node.isStringLiteral(literal) ? literal.getLiteralValue() : type.getText();
}
