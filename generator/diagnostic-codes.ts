import type { Severity } from './diagnostic.ts';

interface CodeEntry {
  /** Severity where the reporter names no other. */
  readonly severity: Severity;
  readonly title: string;
  readonly cause: string;
  readonly fix: string;
}

/** Every code that the generator reports, with what the documentation says about it. */
export const diagnosticCodes = {
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
    title: 'Alias expansion over the limit',
    cause: 'YAML aliases multiply into more nodes than any real description has.',
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
      'A field is missing, unknown or of the wrong type for the version of OpenAPI that the document declares.',
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
  SPEC015: {
    severity: 'info',
    title: 'Tool name shortened',
    cause: 'The name of the tool is longer than 48 characters; it was cut and ends in a hash.',
    fix: 'Give the tool a shorter name in the curation.',
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
    cause: 'The schema of a tool is larger than 8 kB, which costs every client tokens.',
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
    title: 'Generated text is broken',
    cause: 'The generator wrote text that does not parse: a defect of the generator.',
    fix: 'Report it together with the spec.',
  },
  P001: {
    severity: 'error',
    title: 'Unknown operation',
    cause: 'The curation names an operation that the API description does not have.',
    fix: 'Use one of the operationIds, or one of the paths and methods, of openapi.yaml.',
  },
  P002: {
    severity: 'error',
    title: 'Tool name too long or used twice',
    cause: 'Tool names have at most 48 characters and are unique among all providers.',
    fix: 'Choose another name.',
  },
  P003: {
    severity: 'error',
    title: 'GET that is not read-only',
    cause: 'A GET operation is annotated as one that changes something.',
    fix: 'Set readOnly, or say why not in override_reason.',
  },
  P004: {
    severity: 'error',
    title: 'DELETE that is not destructive',
    cause: 'A DELETE operation is annotated as harmless.',
    fix: 'Set destructive: true.',
  },
  P005: {
    severity: 'error',
    title: 'Secret outside the environment',
    cause: 'A credential stands in the curation itself.',
    fix: 'Name an environment variable instead.',
  },
  P006: {
    severity: 'error',
    title: 'Unknown parameter',
    cause: 'The curation names a parameter that the operation does not have.',
    fix: 'Use one of the parameters or body properties of the operation.',
  },
  P007: {
    severity: 'error',
    title: 'Required parameter is hidden',
    cause: 'A required parameter is hidden and has neither a default nor a fixed value.',
    fix: 'Give it a fixed value or a default, or show it.',
  },
  P008: {
    severity: 'error',
    title: 'Property name that clients refuse',
    cause:
      'A property name is longer than 64 characters or has other characters than letters, digits, "_", "." and "-".',
    fix: 'Rename the parameter in the curation.',
  },
  P009: {
    severity: 'error',
    title: 'Schema is not valid',
    cause: 'The schema of a tool is not a valid JSON Schema of draft 2020-12.',
    fix: 'Repair the schema with an overlay.',
  },
  P010: {
    severity: 'error',
    title: 'Recursive schema is not cut',
    cause: 'The schema of a tool refers to itself in a place where it cannot stay recursive.',
    fix: 'Hide the recursive property in the curation.',
  },
  P011: {
    severity: 'error',
    title: 'Tool schema too large',
    cause: 'The schema of a tool is larger than 32 kB (a warning over 8 kB).',
    fix: 'Hide parameters in the curation that agents do not need.',
  },
  P012: {
    severity: 'warning',
    title: 'Many tools',
    cause: 'The provider has more than 60 tools; agents choose badly among so many.',
    fix: 'Curate fewer operations.',
  },
  P013: {
    severity: 'error',
    title: 'Server without TLS',
    cause: 'The address of a server begins with http:.',
    fix: 'Use https, or mark the provider as self_hosted.',
  },
  P014: {
    severity: 'error',
    title: 'Fixture missing',
    cause: 'A tool has no recorded or documented exchange in fixtures/.',
    fix: 'Add a fixture for it.',
  },
  P015: {
    severity: 'error',
    title: 'Licence not allowed',
    cause:
      "The licence of the vendor's description is not on the list of those we may redistribute.",
    fix: 'Describe the API in our own words instead of storing the file.',
  },
  P016: {
    severity: 'error',
    title: 'Credential in an example',
    cause: 'An example holds text that looks like a real credential.',
    fix: 'Replace it with an obvious placeholder.',
  },
  P017: {
    severity: 'error',
    title: 'Authentication type not implemented',
    cause: 'The curation uses an authentication type other than none, api_key, bearer and basic.',
    fix: 'Use one of these, or leave the provider out for now.',
  },
  P018: {
    severity: 'error',
    title: 'Curation violates its schema',
    cause: 'A key of curation.yaml is missing, unknown or has a value that is not allowed there.',
    fix: 'Correct the key; editors that know the schema in line 1 of the file complete it.',
  },
  P019: {
    severity: 'error',
    title: 'Value does not fit its parameter',
    cause: 'A default, a fixed value or an example is refused by the schema of its parameter.',
    fix: 'Correct the value, or the schema with an overlay.',
  },
  P020: {
    severity: 'error',
    title: 'GraphQL document cannot be used',
    cause: 'The document has an error, not exactly one named operation, or an untyped variable.',
    fix: 'Correct the document, and give each variable of an own type a schema in variables.',
  },
  P021: {
    severity: 'error',
    title: 'Two arguments have one name',
    cause: 'After renaming, two arguments of a tool are called the same.',
    fix: 'Rename one of them in params.rename.',
  },
  P022: {
    severity: 'error',
    title: 'Path into an answer not understood',
    cause: 'A JSONPath in the curation is more than names, positions and [*].',
    fix: 'Write a singular path such as $.data.items or $.errors[0].message.',
  },
  P023: {
    severity: 'error',
    title: 'Server cannot be used',
    cause:
      'An operation names a server that is not listed, or a variable of a server may be anything.',
    fix: 'List the server under servers, and give each of its variables an enum or a pattern.',
  },
  P024: {
    severity: 'error',
    title: 'Provider id is not the name of its folder',
    cause: 'The key provider of curation.yaml and the folder that the file stands in differ.',
    fix: 'Rename one of them.',
  },
  P025: {
    severity: 'error',
    title: 'Preset names an unknown provider',
    cause: 'presets.yaml lists a provider that has no folder under specs/providers.',
    fix: 'Correct the name, or remove it from the preset.',
  },
  P026: {
    severity: 'error',
    title: 'Fixture does not fit its tool',
    cause:
      'A file in fixtures/ belongs to no tool, or its arguments or its request are not what the tool takes and sends.',
    fix: 'Correct or remove the fixture; "provider add" drafts a missing one.',
  },
  P030: {
    severity: 'error',
    title: 'Published tool removed',
    cause: 'A tool in tools.lock.json is no longer there: clients that use it will fail.',
    fix: 'Bring it back, or accept the change with generate --accept.',
  },
  P031: {
    severity: 'error',
    title: 'Published tool renamed',
    cause: 'The request of a tool in tools.lock.json now belongs to a tool of another name.',
    fix: 'Give it its old name back, or accept the change with generate --accept.',
  },
  P032: {
    severity: 'error',
    title: 'Published tool takes less than before',
    cause:
      'Arguments that tools.lock.json lists are gone, or allow fewer values, or are required now.',
    fix: 'Take the change back, or accept it with generate --accept.',
  },
  P033: {
    severity: 'info',
    title: 'Tool added',
    cause: 'A tool is new since tools.lock.json was written.',
    fix: 'Nothing: generate adds it to the lock file.',
  },
  P034: {
    severity: 'info',
    title: 'Tool takes more than before',
    cause: 'A tool has new optional arguments, or arguments that allow more values.',
    fix: 'Nothing: generate updates the lock file.',
  },
  P035: {
    severity: 'info',
    title: 'Tool reworded',
    cause: 'The description of a tool or of its arguments has changed.',
    fix: 'Nothing: generate updates the lock file.',
  },
  CONF001: {
    severity: 'error',
    title: 'Environment variable listed twice',
    cause: 'Two switches in specs/config.yaml have the same name, or become the same property.',
    fix: 'Rename or remove one of them.',
  },
  CONF002: {
    severity: 'error',
    title: 'Default that the switch itself refuses',
    cause: 'The default of a switch lies outside its own bounds, values or pattern.',
    fix: 'Correct the default or what is allowed.',
  },
  SURF001: {
    severity: 'error',
    title: 'Operation without a handler name',
    cause: 'A route of a surface has no operationId, or one that cannot be the name of a function.',
    fix: 'Give the operation an operationId in camelCase.',
  },
  SURF002: {
    severity: 'error',
    title: 'Operation that does not say who may use it',
    cause: 'A route of a surface lacks x-access, or x-access or x-limit is malformed.',
    fix: 'Write x-access: public or x-access: [scope, ...], and x-limit: { requests: 5, per: 1m }.',
  },
  SURF003: {
    severity: 'error',
    title: 'Name used twice in a surface',
    cause: 'Two tools of a surface have the same name.',
    fix: 'Rename one of them.',
  },
  SURF004: {
    severity: 'error',
    title: 'Body with several media types',
    cause: 'A request or response of a surface lists more than one media type.',
    fix: 'Keep the one that the handler reads or writes.',
  },
} as const satisfies Record<string, CodeEntry>;

export type DiagnosticCode = keyof typeof diagnosticCodes;
