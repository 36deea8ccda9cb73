import { cidrInstead } from '#contract/config/cidr';
import { ConfigError, type ConfigProblem } from '#contract/config/config';
import { isLoopback } from '#contract/config/loopback';
import type { BackEndRules, ListeningPlace } from '#contract/house/outbound';
import type { ObservabilityConfig } from '../../../../generated/surfaces/observability/config.ts';

/** Where back ends of telemetry usually listen. */
const usualPorts = [
  80, 443, 3000, 3100, 3200, 4040, 4317, 4318, 6006, 8080, 8123, 8428, 9009, 9090, 9093, 9200, 9428,
  10428, 16686,
];

/** Where the collector tells of itself: its metrics, its health, its pages, its profiles. */
const collectorPorts = [8888, 13133, 55679, 1777];

const hostGlob =
  /^(?=.{1,253}$)[a-z0-9*_]([a-z0-9*_-]*[a-z0-9*_])?(\.[a-z0-9*_]([a-z0-9*_-]*[a-z0-9*_])?)*$/i;

/**
 * Read where back ends may be.
 *
 * @throws ConfigError
 */
export function readBackEndRules(
  config: ObservabilityConfig,
  reach: Pick<BackEndRules, 'isLocal' | 'ownPort'>,
): BackEndRules {
  const { endpointAllow, endpointPorts } = config;
  const problems: ConfigProblem[] = [];
  for (const received of endpointAllow) {
    if (cidrInstead(received) === undefined || hostGlob.test(received)) continue;
    const expected = 'names of hosts such as *.internal, or networks such as 10.0.0.0/8';
    const variable = 'SERVICE_OBSERVABILITY_ENDPOINT_ALLOW';
    problems.push({ variable, expected, received: JSON.stringify(received) });
  }
  const isAny = endpointPorts.includes('*');
  const more = endpointPorts.filter((each) => each !== '*');
  for (const received of more) {
    if (/^\d{1,5}$/.test(received) && Number(received) > 0 && Number(received) < 65_536) continue;
    const variable = 'SERVICE_OBSERVABILITY_ENDPOINT_PORTS';
    const expected = 'ports from 1 to 65535, or * for any';
    problems.push({ variable, expected, received: JSON.stringify(received) });
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return {
    ...reach,
    allow: endpointAllow,
    ports: isAny ? 'any' : [...usualPorts, ...more.map(Number)],
    refusedPorts: collectorPorts,
    refusedPlaces: collectorPlaces(config),
  };
}

type CollectorConfig = Pick<
  ObservabilityConfig,
  'collectorGrpc' | 'collectorHttp' | 'collectorBrowser' | 'collectorMetrics' | 'collectorHealthUrl'
>;

/**
 * Where the collector listens. What it sends to where it takes telemetry would come back to it without
 * end; and it is on the host of its health, too, where that is another machine than this one.
 */
export function collectorPlaces({
  collectorGrpc,
  collectorHttp,
  collectorBrowser,
  collectorMetrics,
  collectorHealthUrl,
}: CollectorConfig): readonly ListeningPlace[] {
  const takes = [collectorGrpc, collectorHttp, collectorBrowser ?? []].flat();
  const health = new URL(collectorHealthUrl);
  const tells = [collectorMetrics, `${health.hostname}:${health.port || '80'}`];
  const places = [
    ...takes.map((each) => placeAt(each, 'the collector takes telemetry')),
    ...tells.map((each) => placeAt(each, 'the collector tells of itself')),
  ];
  const host = health.hostname.replace(/^\[|\]$/g, '');
  const elsewhere = isLoopback(host) ? [] : places.map((place) => ({ ...place, host }));
  return [...places, ...elsewhere];
}

/** Of a host and a port, as the collector is told where to listen. */
function placeAt(text: string, what: string): ListeningPlace {
  const at = text.lastIndexOf(':');
  const host = text.slice(0, at).replace(/^\[|\]$/g, '');
  return { host: host.toLowerCase(), port: Number(text.slice(at + 1)), what };
}
