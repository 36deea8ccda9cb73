import type { CodeEntry } from './code-entry.ts';

/** What can be wrong with the configuration and the surfaces of the server itself. */
export const houseCodes = {
  CONF001: {
    severity: 'error',
    title: 'Environment variable listed twice',
    cause:
      'Two switches have the same variable, or become the same property: specs/config.yaml and the config.yaml of all surfaces are read together, and the switch of a surface is its property "enabled".',
    fix: 'Rename or remove one of them.',
  },
  CONF002: {
    severity: 'error',
    title: 'Default that the switch itself refuses',
    cause: 'The default of a switch lies outside its own bounds, values or pattern.',
    fix: 'Correct the default or what is allowed.',
  },
  CONF003: {
    severity: 'error',
    title: 'Surface that nothing enables',
    cause:
      'The switch of a surface names a variable that specs/config.yaml does not have, or a value that it never has.',
    fix: 'Name a switch of type enum and some of its values, or give the surface a switch of its own.',
  },
  EVENT001: {
    severity: 'error',
    title: 'Event listed twice',
    cause:
      'Two files have an audit event of the same name, or an event, a schema or a stream of the bus.',
    fix: 'Rename one of them, with its surface in front.',
  },
  EVENT002: {
    severity: 'error',
    title: 'Event of the bus that is not whole',
    cause:
      'The type of an event is not made of its channel and its name, its schema is not in its file, or no file gives its channel a stream.',
    fix: 'Write service.<channel>.<event>.v1 as its name, a schema of components.schemas as its payload, and x-jetstream once for each channel.',
  },
  NAME001: {
    severity: 'error',
    title: 'Names that become one identifier',
    cause:
      'Two names in one file become the same identifier in generated code: shelf-dust and shelf.dust are both shelfDust.',
    fix: 'Rename one of them by more than its signs and the case of its letters.',
  },
  SURF001: {
    severity: 'error',
    title: 'Operation without a handler name',
    cause: 'A route of a surface has no operationId, or one that cannot be the name of a function.',
    fix: 'Give the operation an operationId in camelCase.',
  },
  SURF002: {
    severity: 'error',
    title: 'Demands of a route that are missing or malformed',
    cause:
      'A route of a surface lacks x-access, or what one of its x- keys says is not what specs/schemas/surface-route.schema.json allows.',
    fix: 'Write x-access: public or x-access: [scope, ...], and for the others what the message asks for.',
  },
  SURF003: {
    severity: 'error',
    title: 'Name used twice in a surface',
    cause: 'Two tools of a surface have the same name.',
    fix: 'Rename one of them.',
  },
  SURF004: {
    severity: 'error',
    title: 'Body that no handler could read or write',
    cause:
      'The media types of a request have different schemas, or none that says how it is read; or a response has no status of its own, or a stream among other media types.',
    fix: 'Give all media types of a request one schema, and each response one status.',
  },
  SURF005: {
    severity: 'error',
    title: 'Rest of a path in its middle',
    cause: 'A path parameter with x-rest: true is not the last segment of its path.',
    fix: 'Put it at the end, or take x-rest away.',
  },
  SURF006: {
    severity: 'error',
    title: 'Places and arguments disagree',
    cause:
      'The text of a prompt, or the URI of a resource template, has a {place} that is not declared, or lacks one that is.',
    fix: 'Give the place and its argument the same name.',
  },
  SURF007: {
    severity: 'error',
    title: 'Demands that contradict each other',
    cause:
      'A route of a surface asks for what cannot be together, such as a public cache for what needs scopes.',
    fix: 'Take one of the two away.',
  },
  FLOW001: {
    severity: 'error',
    title: 'Name used twice in workflows',
    cause:
      'A document of specs/workflows/ has two workflows, two sources or two steps of one workflow of the same name, or a workflow has an input that all of them have.',
    fix: 'Rename one of them.',
  },
  FLOW002: {
    severity: 'error',
    title: 'Expression that does not resolve',
    cause:
      'A runtime expression, a condition or a pattern of a workflow cannot be read, or speaks of an input, step, output or member of an answer that is not there.',
    fix: 'Correct the expression: $inputs.name, $steps.stepId.outputs.name, $response.body#/pointer and $statusCode are known.',
  },
  FLOW003: {
    severity: 'error',
    title: 'Step that calls nothing',
    cause:
      'A source is no provider and no surface of this server, or a step names no operation of its source that is a tool, or no workflow of its file.',
    fix: 'Name a tool, the operationId of one, or a workflow; add the operation to the curation of its vendor where it is missing.',
  },
  FLOW004: {
    severity: 'error',
    title: 'Arguments that do not fit',
    cause:
      'A step gives what its tool does not take, leaves out what that needs, or gives a value of another type.',
    fix: 'Compare the parameters and the payload with the arguments of the tool, by their names.',
  },
  FLOW005: {
    severity: 'error',
    title: 'Cycle without a bound',
    cause: 'A goto leads back to an earlier step without x-limit, or a workflow runs itself.',
    fix: 'Say with x-limit how often the goto may be taken, or let a step do what runs again.',
  },
  FLOW006: {
    severity: 'error',
    title: 'Action that leads nowhere',
    cause:
      'An action after a step has no name or type, goes to a step that its workflow does not have, or does again what has succeeded.',
    fix: 'Name a step of the same workflow; retry belongs under onFailure.',
  },
  JOB001: {
    severity: 'error',
    title: 'Job listed twice',
    cause: 'Two files have a job of the same name.',
    fix: 'Rename one of them, with its surface in front: notify.deliver.',
  },
  SCOPE001: {
    severity: 'error',
    title: 'Scope that nobody declares',
    cause: 'A route, tool, prompt or resource demands a scope that stands in no scopes.yaml.',
    fix: 'Correct its name, or declare it with the sentence that a person consents to.',
  },
  SCOPE002: {
    severity: 'error',
    title: 'Scope that nothing demands',
    cause: 'A scope is declared, and no route, tool, prompt or resource demands it.',
    fix: 'Remove it, or say checked_in_code: true where a handler asks for it.',
  },
  SCOPE003: {
    severity: 'error',
    title: 'Scope declared twice',
    cause: 'Two files declare a scope of the same name.',
    fix: 'Keep the one in specs/scopes.yaml where several surfaces demand it.',
  },
  SCOPE004: {
    severity: 'error',
    title: 'Scope that implies nothing',
    cause: 'A scope says that it implies another one, and no scopes.yaml declares that.',
    fix: 'Correct the name; _* at its end stands for all declared scopes that begin so.',
  },
  SURF008: {
    severity: 'error',
    title: 'Route that is taken',
    cause:
      'Two routes have the same method and path, in one surface or in two, whatever their parameters are called; or a route lies where the server itself is asked, such as at the path of MCP.',
    fix: 'Give it another path, with its surface in front.',
  },
  SURF009: {
    severity: 'error',
    title: 'Surface that cannot be called so',
    cause:
      'The folder of a surface has a name that is no name in code, that becomes the same as that of another surface, or that something else of the server has.',
    fix: 'Rename the folders in specs/surfaces and runtime/surfaces: lower-case letters and digits, with _ or - between them.',
  },
  SURF010: {
    severity: 'error',
    title: 'Parameter of a path that is never filled',
    cause:
      'The name of a path parameter has other characters than letters, digits and _, so that the path would be served as it is written.',
    fix: 'Rename the parameter: {order_id} in place of {order-id}.',
  },
  PRICE001: {
    severity: 'error',
    title: 'Price of nothing',
    cause: 'specs/prices.yaml has a price for a route or a tool that no surface offers.',
    fix: 'Write the method and path as openapi.yaml has them (GET /api/v1), or the name of the tool (tool:audit_verify); the price of a tool of a vendor stands in its curation.',
  },
  TABLE001: {
    severity: 'error',
    title: 'Released table that has changed',
    cause:
      'A table, column, key or index that tables.lock.json lists is gone or has changed, or a new column has no value for the rows that are there. Databases have the table as it was released.',
    fix: 'Leave it as it was and add a new column or table. What has never left your machine may be taken out of tables.lock.json.',
  },
  TABLE002: {
    severity: 'error',
    title: 'Lock file of tables that is none',
    cause: 'A tables.lock.json was not written by the generator.',
    fix: 'Restore it from version control.',
  },
  TABLE003: {
    severity: 'error',
    title: 'Table that cannot be made',
    cause: 'A key or an index names a column that the table does not have, or the name is taken.',
    fix: 'Correct the name.',
  },
  TABLE004: {
    severity: 'error',
    title: 'Table listed twice',
    cause: 'Two files have a table of the same name; all tables lie in one database.',
    fix: 'Rename one of them, with its surface in front.',
  },
  SKILL001: {
    severity: 'error',
    title: 'Skill is not named like its folder',
    cause: 'The name in the frontmatter of a SKILL.md and the folder that it stands in differ.',
    fix: 'Rename one of them.',
  },
  SKILL002: {
    severity: 'error',
    title: 'Hidden text in a skill',
    cause:
      'A file of a skill holds control, bidirectional or zero-width characters, tag characters or HTML comments: text that a model reads and a person does not see.',
    fix: 'Remove it; line ends are line feeds.',
  },
  SKILL003: {
    severity: 'error',
    title: 'Skill that not every host can load',
    cause: 'A skill has more than 512 files or 16 MiB, or a file that is no Markdown.',
    fix: 'Split the skill, or write the file in Markdown.',
  },
  SKILL004: {
    severity: 'error',
    title: 'Link to nothing',
    cause:
      'A skill links to a file that it does not have; links are relative to the folder of its SKILL.md.',
    fix: 'Correct the link or add the file.',
  },
} as const satisfies Record<string, CodeEntry>;
