import type { ObservabilityHandlers } from '../../../../generated/surfaces/observability/routes.ts';
import type { ObservabilityTools } from '../../../../generated/surfaces/observability/tools.ts';
import { signalOf } from '../registry/signal.ts';
import type { Queries } from './queries.ts';

type QueryRoutes = Pick<
  ObservabilityHandlers,
  | 'queryLogs'
  | 'queryMetrics'
  | 'queryTraces'
  | 'queryProfiles'
  | 'explainQuery'
  | 'exportQuery'
  | 'listFields'
  | 'investigate'
  | 'getSpanFlamegraph'
>;

/** What the routes do that ask for telemetry. */
export function createQueryRoutes(queries: Queries): QueryRoutes {
  return {
    async queryLogs({ body, context }) {
      return { status: 200, body: await queries.query('log', body, 'json', context) };
    },
    async queryMetrics({ body, context }) {
      return { status: 200, body: await queries.query('metric', body, 'json', context) };
    },
    async queryTraces({ body, context }) {
      return { status: 200, body: await queries.query('trace', body, 'json', context) };
    },
    async queryProfiles({ body, context }) {
      return { status: 200, body: await queries.query('profile', body, 'json', context) };
    },
    async explainQuery({ body: { signalType, ...asked }, context }) {
      return { status: 200, body: await queries.explain(signalOf(signalType), asked, context) };
    },
    async exportQuery({ body: { signalType, ...asked }, context }) {
      return { status: 200, body: await queries.export(signalOf(signalType), asked, context) };
    },
    async listFields({ body: { signalType, ...asked }, context }) {
      return { status: 200, body: await queries.fields(signalOf(signalType), asked, context) };
    },
    async investigate({ body, context }) {
      return { status: 200, body: await queries.investigate(body ?? {}, context) };
    },
    async getSpanFlamegraph({ parameters: { traceId, mostSelfLimit }, context }) {
      return { status: 200, body: await queries.flameGraph({ traceId, mostSelfLimit }, context) };
    },
  };
}

type QueryTools = Pick<
  ObservabilityTools,
  | 'observabilityQueryLogs'
  | 'observabilityQueryMetrics'
  | 'observabilityQueryTraces'
  | 'observabilityQueryProfiles'
  | 'observabilityExplainQuery'
  | 'observabilityExportQuery'
  | 'observabilityFields'
  | 'observabilityInvestigate'
  | 'observabilitySpanFlamegraph'
>;

/** What the tools do that ask for telemetry: the same, in the form that takes least room. */
export function createQueryTools(queries: Queries): QueryTools {
  return {
    observabilityQueryLogs: (args, context) => queries.query('log', args, 'csv', context),
    observabilityQueryMetrics: (args, context) => queries.query('metric', args, 'csv', context),
    observabilityQueryTraces: (args, context) => queries.query('trace', args, 'csv', context),
    observabilityQueryProfiles: (args, context) => queries.query('profile', args, 'csv', context),
    observabilityExplainQuery: ({ signalType, ...asked }, context) =>
      queries.explain(signalOf(signalType), asked, context),
    observabilityExportQuery: ({ signalType, ...asked }, context) =>
      queries.export(signalOf(signalType), asked, context),
    observabilityFields: ({ signalType, ...asked }, context) =>
      queries.fields(signalOf(signalType), asked, context),
    observabilityInvestigate: (args, context) => queries.investigate(args, context),
    observabilitySpanFlamegraph: (args, context) => queries.flameGraph(args, context),
  };
}
