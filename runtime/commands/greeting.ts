import { authMode, isReachedLocally } from '#contract/config/auth-mode';
import type { AuditReader } from '#contract/house/audit-events';
import type { Service } from '../main.ts';
import { version } from '../process/version.ts';
import { counted } from './counted.ts';

/** What a person sees once the server listens: what runs, and what to do next. */
export function greeting(
  service: Service,
  address: string,
  { vkey }: Pick<AuditReader, 'vkey'>,
): string {
  const { config, vendors } = service;
  const { catalogue } = service.offer;
  const url = `${config.baseUrl ?? address}${config.mcpPath}`;
  const { sources } = catalogue;
  const widest = Math.max(...sources.map(({ id }) => id.length));
  const lacking = new Set(
    vendors.statuses.filter(({ credential }) => credential === 'missing').map(({ id }) => id),
  );
  const rows = sources.map(({ id, title, tools }) => {
    const note = lacking.has(id) ? ' (no credential: see "doctor")' : '';
    return `  ${id.padEnd(widest)}  ${String(tools.length).padStart(4)}  ${title}${note}`;
  });
  return `
Agent Tool Server ${version} listens on ${address}

${counted(catalogue.size, 'tool')}:
${rows.join('\n')}

${visibility(service)}

Connect an MCP client:
  claude mcp add --transport http agent-tools ${url}
  {"mcpServers":{"agent-tools":{"type":"http","url":"${url}"}}}

Look at the tools yourself:
  ${lookAt(url, isTokenNeeded(config))}

The audit log is verified with this key:
  ${vkey}
${witnessLines(service)}
Stop with Ctrl+C.
`;
}

function isTokenNeeded(config: Service['config']): boolean {
  return authMode(config.surfaces.identity.auth, isReachedLocally(config)) === 'required';
}

/** The command that lists the tools, with a token of the operator's own where one is needed. */
function lookAt(url: string, needsToken: boolean): string {
  const token = needsToken ? ` -H "Authorization: Bearer $(npx agent-tool-server token)"` : '';
  const list = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
  return `curl -s ${url} -H 'Content-Type: application/json'${token} -d '${list}'`;
}

/** What clients see of the tools, and why. */
function visibility({ offer, config }: Service): string {
  const { front, size } = offer.catalogue;
  const { toolMode } = config;
  const names = front?.tools.map(([name]) => name).join(', ');
  const few = toolMode === 'auto' ? `, as ${size} are few enough to list` : '';
  const many = toolMode === 'auto' ? `, as ${size} are too many to list` : '';
  return names === undefined
    ? `Clients see all of them${few} (SERVICE_TOOL_MODE=${toolMode}).`
    : `Clients see ${names}, which lead to all others${many} (SERVICE_TOOL_MODE=${toolMode}).`;
}

function witnessLines({ engines: { audit } }: Service): string {
  const { witness } = audit;
  if (witness === undefined) return '';
  return `
The audit logs of others are cosigned with this key:
  ${witness.vkey()}
`;
}
