import { ConfigError } from '#contract/config/config';
import type { BackEndRules, BackEnds, SharedOutbound } from '#contract/house/outbound';
import type { ObservabilityConfig } from '../../../../generated/surfaces/observability/config.ts';
import { createKubernetes } from '../collector-apply/kubernetes.ts';
import { noReload, type Reloader } from '../collector-apply/reload.ts';
import { createSighup } from '../collector-apply/sighup.ts';
import type { CollectorOptions } from './collector-options.ts';

const component = /^(core|contrib|(receiver|processor|exporter|extension)\/[a-z][a-z0-9_]{0,62})$/;

/**
 * Read what an operator says of the collector.
 *
 * @throws ConfigError
 */
export function readCollectorOptions(config: ObservabilityConfig): CollectorOptions {
  const wrong = config.collectorComponents.find((each) => !component.test(each));
  if (wrong !== undefined) {
    const expected = 'contrib, core, or components such as exporter/otlp_http';
    const received = JSON.stringify(wrong.slice(0, 80));
    throw new ConfigError([{ variable: 'SERVICE_COLLECTOR_COMPONENTS', expected, received }]);
  }
  return {
    grpcEndpoint: config.collectorGrpc,
    httpEndpoint: config.collectorHttp,
    browserEndpoint: config.collectorBrowser,
    healthUrl: config.collectorHealthUrl,
    metricsEndpoint: config.collectorMetrics,
    queueDir: config.collectorQueueDir,
    memoryLimitMib: config.collectorMemory,
    components: config.collectorComponents,
    secretsDir: config.secretsDir,
    secretPrefixes: config.secretPrefixes,
  };
}

/** The way to what the operator has named in the settings: the collector, and Kubernetes. */
export function openWayToCollector(
  config: ObservabilityConfig,
  outbound: Pick<SharedOutbound, 'toBackEnds'>,
): BackEnds {
  const { collectorHealthUrl, kubernetesServer, guardLogUrl } = config;
  const urls = [collectorHealthUrl, kubernetesServer, ...(guardLogUrl ? [guardLogUrl] : [])];
  return wayTo(urls, outbound);
}

/** The way to a number of servers that the operator has named in the settings. */
export function wayTo(
  urls: readonly string[],
  outbound: Pick<SharedOutbound, 'toBackEnds'>,
): BackEnds {
  const hosts = urls.map((url) => new URL(url).hostname);
  const rules: BackEndRules = {
    // They may be anywhere that an operator says, but for where nothing may lead.
    allow: [
      ...hosts.filter((host) => !host.startsWith('[')),
      '10.0.0.0/8',
      '172.16.0.0/12',
      '192.168.0.0/16',
      '100.64.0.0/10',
      'fc00::/7',
    ],
    ports: 'any',
    refusedPorts: [],
    refusedPlaces: [],
    isLocal: true,
    ownPort: () => undefined,
  };
  return outbound.toBackEnds(rules);
}

/** How the collector is told of a new file: by the signal where both are set. */
export function chooseReloader(
  config: ObservabilityConfig,
  parts: { readonly backEnds: BackEnds; readonly now: () => number },
): Reloader {
  const { collectorPid: pid, collectorDeployment: deployment } = config;
  if (pid !== undefined) {
    return createSighup({
      ...{ ...parts, pid, binary: config.collectorBinary },
      outputPath: config.collectorOutputPath ?? '',
      healthUrl: config.collectorHealthUrl,
    });
  }
  if (deployment === undefined) return noReload;
  return createKubernetes({
    ...{ ...parts, deployment, namespace: config.collectorNamespace },
    server: config.kubernetesServer.replace(/\/$/, ''),
    credentials: config.kubernetesCredentials,
  });
}
