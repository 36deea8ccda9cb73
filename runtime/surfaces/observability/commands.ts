import { randomUUID } from 'node:crypto';
import { ServiceError } from '#contract/errors';
import type { House } from '#contract/house/house';
import type { SurfaceCommand } from '#contract/surface/surface-module';
import { defaultTenant } from '#contract/tenant/tenants';
import type { CollectorDesk } from './collector/collector.ts';
import type { LeftOut } from './collector-file/left-out.ts';
import { type DiagnoseParts, diagnose } from './diagnose.ts';
import type { HealthDesk } from './health/health-desk.ts';
import { checkDraft, type DraftRules } from './registry/check-draft.ts';
import { draftFrom } from './registry/new-draft.ts';
import { type ProviderDraft, type Signal, signals } from './registry/provider-entry.ts';
import { readProvider } from './registry/read-provider.ts';
import type { ProviderKey } from './registry/records.ts';
import type { Registry } from './registry/registry.ts';
import { signalOf } from './registry/signal.ts';

export interface CommandParts extends Pick<House, 'tenants'>, DiagnoseParts {
  readonly registry: Registry;
  readonly rules: DraftRules;
  readonly health: HealthDesk;
  readonly desk: CollectorDesk;
}

/** How long a check may take that somebody waits for. */
const checkMs = 10_000;

const edits: Readonly<Record<string, Partial<ProviderDraft>>> = {
  enable: { enabled: true },
  disable: { enabled: false },
  primary: { primary: true },
};

/** What an operator can have done at the terminal: all that the routes do. */
export function observabilityCommand(parts: CommandParts): SurfaceCommand {
  const { registry, rules, health, desk, tenants } = parts;
  return async ([action, what, ...rest], options) => {
    const tenant = options['tenant'] ?? defaultTenant;
    if (!tenants.find(tenant)) {
      throw usage(`there is no tenant ${JSON.stringify(tenant.slice(0, 80))}`);
    }
    const change = {
      author: { tenant, actor: { type: 'user', id: 'operator' } },
      ...{ callId: randomUUID(), ifMatch: undefined },
    } as const;
    if (rest.length > 0) throw usage(help);
    if (action === 'list' && what === undefined) return list(parts, tenant);
    // For the command doctor, which prints them as all others.
    if (action === 'doctor' && what === undefined) {
      return JSON.stringify(await diagnose(parts, tenant));
    }
    if (action === 'collector' && what === undefined) {
      const { text, leftOut } = (await desk.preview(tenant)).generated;
      return [text.trimEnd(), ...leftOut.map((each) => `# ${written(each)}`)].join('\n');
    }
    if (action === 'collector' && what === 'apply') {
      const { changed, outputPath, reload, generated } = await desk.apply(tenant, {}, change);
      const done = changed
        ? `${outputPath} is written; reload: ${reload.status}`
        : `${outputPath} holds this already`;
      return [done, ...generated.leftOut.map(written)].join('\n');
    }
    if (action === undefined || what === undefined) throw usage(help);
    if (action === 'register') {
      const said = readProvider(what);
      const draft = draftFrom(said.id, signalOf(said.signalType), said);
      await checkDraft(tenant, draft, rules);
      const entry = await registry.register(tenant, draft, change);
      return `${entry.signal}/${entry.id} is registered`;
    }
    const edit = Object.hasOwn(edits, action) ? edits[action] : undefined;
    if (edit === undefined && action !== 'check' && action !== 'remove') throw usage(help);
    const key = keyOf(tenant, what);
    if (action === 'check') {
      const { health: found } = await health.check(key, AbortSignal.timeout(checkMs));
      return [found.status, found.details].filter(Boolean).join(': ');
    }
    if (action === 'remove') {
      await registry.remove(key, change);
      return `${what} is removed`;
    }
    await registry.update(key, (draft) => ({ ...draft, ...edit }), change);
    return `${what} is changed`;
  };
}

/** What an address holds stays on its line. */
function written({ provider, field, reason }: LeftOut): string {
  return `${provider} is left out: ${field}: ${reason}`.replaceAll(/\p{C}/gu, ' ');
}

const help =
  'observability takes one of: list, register JSON, collector [apply], and with SIGNAL/ID: enable, disable, primary, check, remove';

async function list({ health, registry }: CommandParts, tenant: string): Promise<string> {
  const [{ providers }, { providers: states }] = await Promise.all([
    registry.snapshot(tenant),
    health.health(tenant),
  ]);
  if (providers.length === 0) return 'no back end of telemetry is registered';
  return providers
    .map(({ signal, id, kind, primary, endpoint }, index) =>
      [
        `${signal}/${id}`.padEnd(24),
        kind.padEnd(15),
        (states[index]?.health.status ?? 'unknown').padEnd(8),
        primary ? 'primary' : '       ',
        endpoint,
      ].join('  '),
    )
    .join('\n');
}

function keyOf(tenant: string, what: string): ProviderKey {
  const [signal, id, ...rest] = what.split('/');
  const isSignal = signals.includes(signal as Signal);
  if (!isSignal || !id || rest.length > 0) {
    throw usage(`a back end is named as ${signals.join(', ')}, a slash and its id`);
  }
  return { tenant, signal: signal as Signal, id };
}

function usage(message: string): ServiceError {
  return new ServiceError('invalid_arguments', 400, message);
}
