import type { CallContext } from '#contract/caller';
import { authorOf } from '#contract/house/audit-events';
import { traceIdOf } from '#contract/trace';
import type { ObservabilityHandlers } from '../../../../generated/surfaces/observability/routes.ts';
import type { ObservabilityTools } from '../../../../generated/surfaces/observability/tools.ts';
import { checkDraft, type DraftRules } from './check-draft.ts';
import { draftFrom } from './new-draft.ts';
import type { ProviderDraft, ProviderEntry } from './provider-entry.ts';
import type { Change, Registry } from './registry.ts';
import { shownProvider } from './shown.ts';
import { signalOf } from './signal.ts';

export interface RegistryHandlerParts {
  readonly registry: Registry;
  readonly rules: DraftRules;
  /** What is asked in the place of what nobody has registered. */
  readonly queried: { readonly standIns: (tenant: string) => Promise<readonly ProviderEntry[]> };
}

type RegistryRoutes = Pick<
  ObservabilityHandlers,
  'listProviders' | 'registerProvider' | 'getProvider' | 'updateProvider' | 'removeProvider'
>;

/** Who changes something, and in which call. */
export function changeOf({ caller, callId, trace }: CallContext): Change {
  return { author: authorOf(caller), callId, traceId: trace && traceIdOf(trace) };
}

/** What the routes of the registry do. */
export function createRegistryRoutes({
  registry,
  rules,
  queried,
}: RegistryHandlerParts): RegistryRoutes {
  return {
    async listProviders({ context: { caller } }) {
      const { providers, digest } = await registry.snapshot(caller.tenant);
      const all = [...providers, ...(await queried.standIns(caller.tenant))];
      const shown = all.map((entry) => shownProvider(entry, caller));
      return { status: 200, body: { providers: shown, digest } };
    },
    async registerProvider({ body, context }) {
      const draft = draftFrom(body.id, signalOf(body.signalType), body);
      const { caller } = context;
      await checkDraft(caller.tenant, draft, rules);
      const entry = await registry.register(caller.tenant, draft, changeOf(context));
      const location = `/observability/providers/${entry.signal}/${entry.id}`;
      const headers = { etag: entry.etag, location };
      return { status: 201, headers, body: shownProvider(entry, caller) };
    },
    async getProvider({ parameters: { signal, id }, context: { caller } }) {
      const entry = await registry.find({ tenant: caller.tenant, signal: signalOf(signal), id });
      return { status: 200, headers: { etag: entry.etag }, body: shownProvider(entry, caller) };
    },
    async updateProvider({ parameters, body, context }) {
      const { caller } = context;
      const signal = signalOf(parameters.signal);
      const draft = draftFrom(parameters.id, signal, body);
      await checkDraft(caller.tenant, draft, rules);
      const key = { tenant: caller.tenant, signal, id: parameters.id };
      const ifMatch = parameters['if-match'];
      const entry = await registry.update(key, () => draft, { ...changeOf(context), ifMatch });
      return { status: 200, headers: { etag: entry.etag }, body: shownProvider(entry, caller) };
    },
    async removeProvider({ parameters, context }) {
      const { signal, id, 'if-match': ifMatch } = parameters;
      const key = { tenant: context.caller.tenant, signal: signalOf(signal), id };
      await registry.remove(key, { ...changeOf(context), ifMatch });
      return { status: 204 };
    },
  };
}

type RegistryTools = Pick<
  ObservabilityTools,
  | 'observabilityListProviders'
  | 'observabilityRegisterProvider'
  | 'observabilityUpdateProvider'
  | 'observabilityRemoveProvider'
>;

/** What the tools of the registry do. */
export function createRegistryTools({
  registry,
  rules,
  queried,
}: RegistryHandlerParts): RegistryTools {
  return {
    async observabilityListProviders({ signalType }, { caller }) {
      const { providers, digest } = await registry.snapshot(caller.tenant);
      const all = [...providers, ...(await queried.standIns(caller.tenant))];
      const wanted = all.filter(
        ({ signal }) => signalType === undefined || signal === signalOf(signalType),
      );
      return { providers: wanted.map((entry) => shownProvider(entry, caller)), digest };
    },
    async observabilityRegisterProvider(args, context) {
      const draft = draftFrom(args.id, signalOf(args.signalType), args);
      const { caller } = context;
      await checkDraft(caller.tenant, draft, rules);
      const entry = await registry.register(caller.tenant, draft, changeOf(context));
      return { provider: shownProvider(entry, caller) };
    },
    async observabilityUpdateProvider({ id, signalType, etag, ...said }, context) {
      const { caller } = context;
      const signal = signalOf(signalType);
      const key = { tenant: caller.tenant, signal, id };
      const edit = (former: ProviderDraft) => draftFrom(id, signal, { ...former, ...said });
      await checkDraft(caller.tenant, edit(await registry.find(key)), rules);
      const change = { ...changeOf(context), ifMatch: etag };
      const entry = await registry.update(key, edit, change);
      return { provider: shownProvider(entry, caller) };
    },
    async observabilityRemoveProvider({ id, signalType, etag }, context) {
      const signal = signalOf(signalType);
      const key = { tenant: context.caller.tenant, signal, id };
      await registry.remove(key, { ...changeOf(context), ifMatch: etag });
      return { removed: `${signal}/${id}` };
    },
  };
}
