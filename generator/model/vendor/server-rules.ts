import { suggestion } from '../../diagnostics/suggestion.ts';
import { escapeStep } from '../../read/text/json-pointer.ts';
import type { CuratedServer, Curation } from '../shape/curation.ts';
import type { Report } from '../texts/report.ts';

/** Check where requests go (P013, P023): the server starts with these addresses, and only then reads them. */
export function checkServers({ servers, self_hosted }: Curation, report: Report): void {
  const ids = new Set<string>();
  for (const [index, server] of servers.entries()) {
    const { url, id } = server;
    const at = `/servers/${index}`;
    if (url.startsWith('http:') && !self_hosted) {
      report.curation('P013', `${at}/url`, `server ${url} has no TLS`, {
        help: 'use https, or set self_hosted: true when operators run it themselves',
      });
    }
    if (id !== undefined && ids.has(id)) {
      report.curation('P023', `${at}/id`, `"${id}" is the id of an earlier server`);
    }
    ids.add(id ?? '');
    checkVariables(server, { at, isOpen: self_hosted === true }, report);
    const fault = addressFault(server);
    if (fault !== undefined) {
      // The address itself may hold what nobody should read.
      report.curation('P023', `${at}/url`, `the address of this server ${fault}`, {
        help: 'write an address as https://api.example.com/v1',
      });
    }
  }
}

/** @param where.isOpen whether operators may write any host */
function checkVariables(
  { url, variables = {} }: CuratedServer,
  { at, isOpen }: { readonly at: string; readonly isOpen: boolean },
  report: Report,
): void {
  for (const [, name = ''] of url.matchAll(/\{([^{}]*)\}/g)) {
    if (Object.hasOwn(variables, name)) continue;
    const message = `server variable "${name}" is not listed under variables`;
    report.curation('P023', `${at}/url`, message, {
      help: suggestion(name, Object.keys(variables)),
    });
  }
  for (const [name, variable] of Object.entries(variables)) {
    const place = `${at}/variables/${escapeStep(name)}`;
    const { enum: allowed, pattern } = variable;
    if (allowed === undefined && pattern === undefined && !isOpen) {
      const message = `server variable "${name}" may be anything: it needs an enum or a pattern`;
      report.curation('P023', place, message);
    }
    const fault = variableFault(variable);
    if (fault) report.curation('P023', `${place}/${fault.key}`, `"${name}" ${fault.message}`);
  }
}

function variableFault({
  enum: allowed,
  pattern,
  default: value,
}: NonNullable<CuratedServer['variables']>[string]): { key: string; message: string } | undefined {
  if (allowed !== undefined) {
    if (value === undefined || allowed.includes(value)) return undefined;
    return { key: 'default', message: `must be one of ${allowed.join(', ')}, but it is ${value}` };
  }
  if (pattern === undefined) return undefined;
  const rule = ruleOf(pattern);
  if (rule === undefined) return { key: 'pattern', message: 'has a pattern that is none' };
  if (value === undefined || rule.test(value)) return undefined;
  return { key: 'default', message: `must match ${pattern}, but it is ${value}` };
}

function ruleOf(pattern: string): RegExp | undefined {
  try {
    return new RegExp(`^(?:${pattern})$`);
  } catch {
    return undefined;
  }
}

/** What keeps an address from being an origin and perhaps a path. */
function addressFault({ url, variables = {} }: CuratedServer): string | undefined {
  const filled = url.replace(/\{([^{}]*)\}/g, (_, name: string) => {
    const { default: value, enum: [first] = [] } = variables[name] ?? {};
    return value ?? first ?? 'x';
  });
  const address = URL.parse(filled);
  if (address === null) return 'cannot be read';
  const { username, password, search, hash } = address;
  if (username !== '' || password !== '') return 'holds a user or a password';
  if (search !== '' || hash !== '') return 'holds a query or a fragment';
  return undefined;
}
