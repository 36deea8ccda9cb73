import type { Finding } from '#contract/surface/finding';
import type { LeaveOut } from './collector-check/leave-out.ts';
import type { HealthDesk } from './health/health-desk.ts';
import { loadKinds } from './registry/kinds.ts';
import type { Registry } from './registry/registry.ts';

export interface DiagnoseParts {
  readonly registry: Pick<Registry, 'snapshot'>;
  readonly health: Pick<HealthDesk, 'health'>;
  readonly leaveOut: LeaveOut;
}

/** Say of each back end of a tenant whether the collector is given it, and how it was when last asked. */
export async function diagnose(
  { registry, health, leaveOut }: DiagnoseParts,
  tenant: string,
): Promise<readonly Finding[]> {
  const [{ providers }, { providers: states }] = await Promise.all([
    registry.snapshot(tenant),
    health.health(tenant),
  ]);
  if (providers.length === 0) {
    return [{ kind: 'ok', text: 'no back end of telemetry is registered' }];
  }
  const kinds = await loadKinds(providers.map(({ kind }) => kind));
  return Promise.all(
    providers.map(async (entry, index): Promise<Finding> => {
      const name = `${entry.signal}/${entry.id}`;
      const leftOut = await leaveOut(entry, kinds.get(entry.kind));
      if (leftOut !== undefined) {
        const { field, reason } = leftOut;
        return {
          kind: 'problem',
          text: `${name}: the file of the collector leaves it out: ${field}: ${reason}`,
          fix: `change its ${field}, or what SERVICE_OBSERVABILITY_ENDPOINT_ALLOW permits`,
        };
      }
      const { status = 'unknown', details } = states[index]?.health ?? {};
      const text = [`${name}: ${status}`, details].filter(Boolean).join(': ');
      if (!entry.enabled || status === 'healthy') return { kind: 'ok', text };
      return { kind: status === 'down' ? 'problem' : 'advice', text };
    }),
  );
}
