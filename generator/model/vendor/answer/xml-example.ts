import { XMLParser } from 'fast-xml-parser';
import { isObject } from '#contract/json';
import type { ApiDocument } from '../../../read/document/api-document.ts';
import { type ApiOperation, resolve } from '../../schema/api-operations.ts';
import { type OutputNode, unknownNode } from './output-node.ts';

/**
 * What the example of an answer in XML says of it: which of its elements and attributes hold
 * nothing but text. No schema describes XML as the runtime reads it (runtime/outbound/content/xml.ts).
 */
export function xmlExampleNode(
  document: ApiDocument,
  operation: ApiOperation,
): OutputNode | undefined {
  const responses = isObject(operation.node['responses']) ? operation.node['responses'] : {};
  for (const [status, response] of Object.entries(responses)) {
    if (!/^2(\d\d|XX)$/.test(status) || !isObject(response)) continue;
    const { content } = resolve(document, { node: response, pointer: '' }).node;
    for (const [type, media] of Object.entries(isObject(content) ? content : {})) {
      const text = /[/+]xml\b/.test(type) && isObject(media) ? media['example'] : undefined;
      if (typeof text === 'string') return textNode(parsed(text));
    }
  }
  return undefined;
}

function parsed(text: string): unknown {
  // A document type can define entities that grow without bound (XML 1.0, 4.2).
  if (/<!DOCTYPE/i.test(text)) return undefined;
  const parser = new XMLParser({
    ignoreAttributes: ['xmlns', /^xmlns:/],
    attributeNamePrefix: '',
    parseTagValue: false,
    parseAttributeValue: false,
    ignoreDeclaration: true,
  });
  try {
    return parser.parse(text, true);
  } catch {
    return undefined;
  }
}

/** An element may occur once or more often, so that only text has a type. */
function textNode(value: unknown): OutputNode {
  if (typeof value === 'string') return { ...unknownNode, types: new Set(['string']) };
  if (Array.isArray(value)) return { ...textNode(value[0]), types: new Set() };
  if (!isObject(value)) return unknownNode;
  const node: OutputNode = {
    ...unknownNode,
    members: () => new Map(Object.entries(value).map(([name, member]) => [name, textNode(member)])),
    items: () => node,
  };
  return node;
}
