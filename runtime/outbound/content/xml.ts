import { XMLParser } from 'fast-xml-parser';
import type { ResponseShape } from '#contract/tool';
import { unreadable } from '../call/unusable-answer.ts';

/** Turns XML into plain values. */
export type XmlReader = (text: string) => unknown;

/**
 * Build a reader of XML. Attributes become members under their own names, text beside attributes
 * becomes `#text`, and all values stay text. An element that `shape` treats as a list is one, even
 * when it occurs once.
 */
export function createXmlReader(shape: ResponseShape | undefined): XmlReader {
  const lists = listNames(shape);
  const parser = new XMLParser({
    // Declarations of namespaces say nothing about the data.
    ignoreAttributes: ['xmlns', /^xmlns:/],
    attributeNamePrefix: '',
    // Numeric references (XML 1.0, 4.1) come with this switch alone.
    htmlEntities: true,
    parseTagValue: false,
    parseAttributeValue: false,
    ignoreDeclaration: true,
    ignorePiTags: true,
    isArray: (name, _path, _leaf, isAttribute) => !isAttribute && lists.has(name),
  });
  return (text) => {
    // A document type can define entities that grow without bound or read files (XML 1.0, 4.2).
    if (/<!DOCTYPE/i.test(text)) throw unreadable('its XML has a document type definition');
    try {
      return parser.parse(text, true);
    } catch {
      throw unreadable('it is not well-formed XML');
    }
  };
}

/** The encoding that an XML declaration names (XML 1.0, 4.3.3). */
export function declaredEncoding(bytes: Buffer): string | undefined {
  const head = bytes.subarray(0, 200).toString('latin1');
  return /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([A-Za-z0-9._-]+)["']/.exec(head)?.[1];
}

function listNames(shape: ResponseShape | undefined): ReadonlySet<string> {
  const names = new Set<string>();
  const paths = [
    ...Object.values(shape?.map ?? {}),
    ...(shape?.items ? [[...shape.items, '*']] : []),
  ];
  for (const path of paths) {
    for (const [index, step] of path.entries()) {
      const before = path[index - 1];
      if (step === '*' && typeof before === 'string') names.add(before);
      if (typeof step === 'number' && typeof before === 'string') names.add(before);
    }
  }
  return names;
}
