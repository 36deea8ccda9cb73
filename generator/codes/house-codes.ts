import type { CodeEntry } from './code-entry.ts';

/** What can be wrong with the configuration and the surfaces of the server itself. */
export const houseCodes = {
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
    cause: 'A route of a surface lacks x-access, or x-access, x-limit or x-audit is malformed.',
    fix: 'Write x-access: public or x-access: [scope, ...], x-limit: { requests: 5, per: 1m }, and x-audit: none, outcome or intent.',
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
  SURF005: {
    severity: 'error',
    title: 'Rest of a path in its middle',
    cause: 'A path parameter with x-rest: true is not the last segment of its path.',
    fix: 'Put it at the end, or take x-rest away.',
  },
} as const satisfies Record<string, CodeEntry>;
