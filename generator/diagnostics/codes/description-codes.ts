import type { CodeEntry } from './code-entry.ts';

/** What can be wrong with an API description, its files and its overlay. */
export const descriptionCodes = {
  SPEC001: {
    severity: 'error',
    title: 'File cannot be read',
    cause:
      'The file does not exist, is no regular file, lies outside the spec root, is larger than 64 MiB or is not UTF-8.',
    fix: 'Check the path, keep every referenced file under the spec root, and slice very large descriptions.',
  },
  SPEC002: {
    severity: 'error',
    title: 'Syntax error',
    cause: 'The text is not valid YAML 1.2 or JSON, or a map has the same key twice.',
    fix: 'Correct the text at the position shown; a key may stand only once in a map.',
  },
  SPEC003: {
    severity: 'error',
    title: 'Too much is included',
    cause:
      'YAML aliases, included files or the parts of one schema multiply into more nodes, or nest deeper, than in any real description.',
    fix: 'Write the repeated part once under components and refer to it with $ref.',
  },
  SPEC004: {
    severity: 'error',
    title: 'Unknown kind or version of document',
    cause:
      'The document is not an API description in a supported version, or its version is not a string.',
    fix: 'Use Swagger "2.0" or OpenAPI "3.0.x", "3.1.x" or "3.2.x" and Overlay "1.0.x" or "1.1.x", with the version in quotes.',
  },
  SPEC005: {
    severity: 'error',
    title: 'Violates the schema of its version',
    cause:
      'A field is missing, unknown or of the wrong type for the version of OpenAPI that the document declares, or a path or an address is longer than 2,000 characters.',
    fix: 'Correct the field, or repair the vendor file with an overlay.',
  },
  SPEC006: {
    severity: 'error',
    title: 'Reference to nothing',
    cause: 'A $ref names a file or a place in a document that does not exist.',
    fix: 'Correct the reference or add its target.',
  },
  SPEC007: {
    severity: 'error',
    title: 'Forbidden reference',
    cause: 'A $ref leads to the network, to a file outside the spec root or to another URI scheme.',
    fix: 'Store a copy of the target under the spec root and refer to that.',
  },
  SPEC008: {
    severity: 'error',
    title: 'Reference that only leads to itself',
    cause: 'A chain of $refs comes back to its beginning without reaching a value.',
    fix: 'Let one link of the chain hold the value.',
  },
  SPEC010: {
    severity: 'error',
    title: 'Path parameters and path template disagree',
    cause:
      'A path parameter is declared that the template lacks, or the template names one that is not declared.',
    fix: 'Give parameter and placeholder the same name, and declare every placeholder.',
  },
  SPEC011: {
    severity: 'error',
    title: 'Parameter declared twice',
    cause: 'Two parameters of one operation or path have the same name and location.',
    fix: 'Remove one of them.',
  },
  SPEC012: {
    severity: 'error',
    title: 'operationId used twice',
    cause: 'Two operations have the same operationId, which must be unique in a description.',
    fix: "Rename one of them, in an overlay if the file is a vendor's.",
  },
  SPEC013: {
    severity: 'info',
    title: 'Operation without operationId',
    cause: 'The operation has no operationId, so its name is derived from method and path.',
    fix: 'Add an operationId if the derived name reads badly.',
  },
  SPEC014: {
    severity: 'warning',
    title: 'Names collide',
    cause: 'Two things get the same name in generated code; the second one got a number.',
    fix: 'Rename one of them in the curation or with an overlay.',
  },
  SPEC016: {
    severity: 'warning',
    title: 'Path templates match the same URL',
    cause: 'Two path templates accept the same URL and neither is more specific.',
    fix: 'Nothing if the vendor really serves both; else remove one path with an overlay.',
  },
  SPEC020: {
    severity: 'warning',
    title: 'Feature not supported',
    cause: 'The description uses a feature that the generator does not turn into code.',
    fix: 'Leave the operation out, or describe it in another way with an overlay.',
  },
  SPEC021: {
    severity: 'warning',
    title: 'Large tool schema',
    cause:
      'The schema of a tool is larger than 8 kB, which costs every client tokens. One larger than 32 kB is cut for them; calls are held to the whole.',
    fix: 'Hide parameters in the curation that agents do not need.',
  },
  SPEC022: {
    severity: 'info',
    title: 'Unknown format',
    cause:
      'The value of "format" is not in the OpenAPI format registry; it is kept and not checked.',
    fix: 'Nothing, or use a registered format.',
  },
  SPEC023: {
    severity: 'warning',
    title: 'Unsafe regular expression',
    cause:
      'A pattern can take exponential time on hostile text, or is no regular expression of ECMA-262.',
    fix: "Rewrite the pattern without nested quantifiers, in an overlay if the file is a vendor's.",
  },
  SPEC024: {
    severity: 'error',
    title: 'Default or example does not match its schema',
    cause: 'A default value or an example would be refused by the schema that it stands beside.',
    fix: 'Correct the value or the schema.',
  },
  SPEC025: {
    severity: 'info',
    title: 'Siblings of $ref are ignored',
    cause:
      'In Swagger 2.0 and OpenAPI 3.0 the fields beside a $ref have no effect; all but the description are dropped.',
    fix: 'Put the $ref into allOf, beside which other fields count.',
  },
  SPEC026: {
    severity: 'info',
    title: 'Alternatives cannot be told apart',
    cause:
      'One alternative of a oneOf takes every value that another one describes, so that exactly one never does.',
    fix: 'Nothing: any alternative may fit then. Where the vendor does refuse such values, say by an enum or by required members how the alternatives differ.',
  },
  SPEC027: {
    severity: 'warning',
    title: 'Object forbids what its own parts name',
    cause:
      'An object is closed by additionalProperties: false, which sees only the properties beside it, and members of its allOf, oneOf or anyOf name others: taken literally, none of these may be sent.',
    fix: 'Nothing: when a provider is added, the object is read as closed over its parts too. The vendor should write unevaluatedProperties: false (OpenAPI 3.1).',
  },
  SPEC030: {
    severity: 'warning',
    title: 'Overlay action selects nothing',
    cause: 'The target of an overlay action matches no node of the document.',
    fix: 'Correct the JSONPath, or remove the action when the vendor has repaired the file.',
  },
  SPEC031: {
    severity: 'error',
    title: 'Overlay kinds do not match',
    cause:
      'An overlay action merges values of different kinds, or its targets are not all of one kind.',
    fix: 'Update objects with objects, and replace other values by removing them first.',
  },
  SPEC090: {
    severity: 'error',
    title: 'Two generated files have one path',
    cause:
      'Two generated files have the same path, or differ in case alone: a defect of the generator.',
    fix: 'Report it together with the spec.',
  },
} as const satisfies Record<string, CodeEntry>;
