import type { ProviderHealth } from '../../../../generated/surfaces/observability/types.ts';
import type { Found, Watched } from './active-alert.ts';

const runbook_url = 'docs/alerts.md#a-back-end-is-down-or-degraded';
const shared = { source: 'health', evaluatedBy: 'server', forMs: 0, keepMs: 0 } as const;

const kinds = [
  { status: 'down', alert: 'ObservabilityProviderDown', severity: 'critical' },
  { status: 'degraded', alert: 'ObservabilityProviderDegraded', severity: 'warning' },
] as const;

/** The alerts that the checks of back ends give. */
export function healthAlerts(
  providers: readonly ProviderHealth[],
): readonly { readonly watched: Watched; readonly found: readonly Found[] }[] {
  return kinds.map(({ status, alert, severity }) => ({
    watched: { ...shared, rule: `health/${alert}`, alert },
    found: providers
      .filter(({ enabled, health }) => enabled && health.status === status)
      .map(({ providerId, signalType, health: { details } }) => ({
        labels: { severity, provider_id: providerId, signal_type: signalType },
        annotations: {
          summary: `The back end ${signalType}/${providerId} is ${status}${details === undefined ? '' : `: ${details}`}`,
          runbook_url,
        },
        value: status === 'down' ? '0' : '1',
      })),
  }));
}
