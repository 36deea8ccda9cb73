/** A vendor's description with the traps that real ones have. */
export const acme = `swagger: '2.0'
info: { title: Public API, version: '4', license: { name: MIT License } }
host: api.acme.example
basePath: /v2
schemes: [https]
securityDefinitions:
  oauth: { type: oauth2, flow: accessCode, authorizationUrl: 'https://acme.example/a', tokenUrl: 'https://acme.example/t', scopes: {} }
security: [{ oauth: [] }]
paths:
  /teams:
    get:
      operationId: teams.list
      summary: List teams.
      tags: [Teams]
      parameters:
        - { name: token, in: query, required: true, type: string, description: Authentication token }
        - { name: page, in: query, type: integer, minimum: 0 }
        - { name: per_page, in: query, type: integer, maximum: 50 }
      responses:
        '200':
          description: All of them
          schema:
            type: object
            required: [teams]
            properties:
              teams: { type: array, items: { $ref: '#/definitions/Team' } }
              total: { type: integer }
        '401': { description: No, schema: { type: object, properties: { error: { type: object, properties: { message: { type: string } } } } } }
    post:
      operationId: teams.create
      summary: Create a team
      tags: [Teams]
      responses: { '201': { description: Made, schema: { $ref: '#/definitions/Team' } } }
  /teams/{team_id}:
    parameters:
      - { name: team_id, in: path, required: true, type: string, pattern: '^T[0-9]+$' }
    get:
      operationId: teams.get
      description: Reads [one](https://acme.example) \`team\` by its id. There is more to say.
      tags: [Teams]
      parameters:
        - { name: token, in: header, required: true, type: string }
      responses:
        '200':
          description: One
          schema: { $ref: '#/definitions/Team' }
          examples:
            application/json:
              id: T1
              name: Blue
              secret: ${'gh'}p_${'a1'.repeat(18)}
              members: [{ id: T2, name: x }, { id: T3, name: y }, { id: T4, name: z }]
    delete:
      operationId: teams.delete
      summary: Delete a team
      tags: [Teams]
      responses: { '204': { description: Gone } }
  /teams/{team_id}/disband:
    get:
      operationId: teams.revoke
      summary: Revokes a team
      tags: [Teams]
      parameters:
        - { name: team_id, in: path, required: true, type: string }
      responses: { '200': { description: Gone, schema: { $ref: '#/definitions/Team' } } }
  /old-reports:
    get:
      summary: (DEPRECATED) List reports
      deprecated: true
      responses: { '200': { description: Reports, schema: { type: object } } }
  /reports/{report}/file:
    get:
      summary: Download a report
      parameters:
        - { name: report, in: path, required: true, type: string }
      produces: [application/pdf]
      responses: { '200': { description: A file, schema: { type: file } } }
definitions:
  Team:
    type: object
    required: [id]
    properties:
      id: { type: string }
      name: { type: string, example: Blue }
      secret: { type: string }
      created: { type: string, format: date-time }
      members: { type: array, items: { $ref: '#/definitions/Team' } }
  Unused: { type: object }
`;
