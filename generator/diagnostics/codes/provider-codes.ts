import type { CodeEntry } from './code-entry.ts';

/** What can be wrong with a provider: its curation, its tools and its lock file. */
export const providerCodes = {
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
    cause:
      'A credential stands in the curation itself, or a header, query or credential is taken from a variable of the environment that is not of this provider.',
    fix: 'Name an environment variable of the provider instead, SERVICE_<ID>_...',
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
    cause:
      'The schema of a tool is not a valid JSON Schema of draft 2020-12, or is an alternative or a part of itself without end.',
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
    cause:
      'The schema of a tool is larger than 32 kB (a warning over 8 kB), even with definitions deep inside left open, or has more alternatives than can be checked.',
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
      'An operation names a server that is not listed, the address of one holds more than a host and a path, or a variable of one may be anything or has a default that is not allowed.',
    fix: 'List the server under servers with its address alone, and give each of its variables an enum or a pattern.',
  },
  P024: {
    severity: 'error',
    title: 'Provider id is not the name of its folder, or means something else',
    cause:
      'The key provider of curation.yaml and the folder that the file stands in differ. Or the name is that of a preset or a word of SERVICE_PROVIDER, or of a surface: who names it would get the other.',
    fix: 'Rename one of them, or the provider.',
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
  P027: {
    severity: 'warning',
    title: 'Description that reads like an instruction',
    cause:
      'A description gives orders to the model ("ignore previous instructions", "you must") or pretends that somebody else speaks ("system:", a role tag). Role tags are cut from the text.',
    fix: 'Say in other words what the argument is, in params.describe of the curation or with an overlay.',
  },
  P028: {
    severity: 'warning',
    title: 'Only the first page of a list',
    cause:
      'The vendor gives a list in pages, and its description does not tell how the next one is asked for, or the curation does not say it.',
    fix: 'Write how it pages into the pagination of the operation, or style none where one page is enough.',
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
  P036: {
    severity: 'error',
    title: 'Published tool does something else',
    cause:
      'The request, the annotations or the access of a tool are not those in tools.lock.json: people agreed to another call.',
    fix: 'Take the change back, publish it as a new tool, or accept it with generate --accept.',
  },
  P037: {
    severity: 'error',
    title: 'Hidden characters in a value',
    cause:
      'A name, a title or a value that a tool publishes holds characters that nobody sees (controls, bidirectional marks, characters without width, variation selectors, tags). Descriptions are cleaned; a value cannot be, because the vendor expects it as it is. Of several values, and as a default, it is left out with a warning.',
    fix: 'Remove the characters with an overlay, or leave the argument out in params.hide.',
  },
  P038: {
    severity: 'error',
    title: 'Way to connect that cannot work',
    cause:
      "A curation says how people connect their own accounts in a way that is not safe or not complete: an address without TLS, a variable that already holds the operator's credential, a pasted key that nothing tries out.",
    fix: 'Do what the message says.',
  },
  P039: {
    severity: 'error',
    title: 'Credential of an operation that cannot be used',
    cause:
      'An operation names in auth what is no id of a credential of its provider, two entries have the same id, or people connect accounts where operations take credentials of their own.',
    fix: 'Give the entry in auth an id and default: false, and name this id in the operations that take it.',
  },
  P040: {
    severity: 'error',
    title: 'Description of another API',
    cause:
      'The description that a provider is held against has none of its operations, or hardly any, and another title or other servers.',
    fix: 'Give a later description of the same API. If the vendor has replaced all of it, add that as a provider of its own.',
  },
  P041: {
    severity: 'warning',
    title: 'List that the description does not know',
    cause:
      'response.items leads to a member that the description of the answer does not have, where it has others. Where the vendor does not send it either, each call says that the answer has no list.',
    fix: 'Correct the path. Where the vendor sends what its description lacks, say so with an overlay.',
  },
  P042: {
    severity: 'error',
    title: 'Tool that is read-only and destructive',
    cause:
      'The annotations of a tool say that it changes nothing, and that it takes something away. Clients believe the first and ask nobody.',
    fix: 'Set readOnly: false where it changes something, else leave destructive out.',
  },
} as const satisfies Record<string, CodeEntry>;
