import type { Bus } from '../bus/bus.ts';
import type { ConnectableVendor } from '../connect/connectable.ts';
import type { ScopeCatalogue } from '../scope.ts';
import type { SignedInPeople } from '../surface/people.ts';
import type { OwnAddress } from '../tenant/own-address.ts';
import type { Tenants } from '../tenant/tenants.ts';
import type { ApprovalDesk } from './approval.ts';
import type { AuditDoor } from './audit-events.ts';
import type { Jobs } from './jobs.ts';
import type { Log } from './log.ts';
import type { SurfaceMetrics } from './metrics.ts';
import type { OfferedTools, ToolMode } from './offered-tools.ts';
import type { Outbound } from './outbound.ts';
import type { Pages } from './pages.ts';
import type { ProviderStatus } from './provider-status.ts';
import type { Readiness } from './readiness.ts';
import type { SandboxOptions, ScriptSandbox } from './sandbox.ts';
import type { AnyStore } from './store.ts';
import type { ToolForms } from './tool-forms.ts';
import type { Witness } from './witness.ts';

/** Gives a key of 32 bytes for one purpose, the same on every replica. */
export type Keys = (purpose: string) => Buffer;

/**
 * What the rest of the server is to a surface: engines stand behind it, and a surface names those
 * that it needs.
 */
export interface House {
  readonly version: string;
  /** What is meant for development alone is refused. */
  readonly isProduction: boolean;
  readonly log: Log;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly metrics: SurfaceMetrics;
  readonly readiness: Readiness;
  readonly keys: Keys;
  /** That of the tenant `default`; what serves all of them asks `tenants`. */
  readonly address: OwnAddress;
  readonly tenants: Tenants;
  /** Every right that a caller can be given. */
  readonly scopes: ScopeCatalogue;
  readonly pages: Pages;
  readonly people: SignedInPeople;
  /** `storeWith` gives it the tables of the surface. */
  readonly store: AnyStore;
  /** A surface lists its jobs in what it gives back; here it stores work for them. */
  readonly jobs: Pick<Jobs, 'enqueue' | 'wake'>;
  readonly audit: AuditDoor;
  /** Events are published by what is generated for them: `createEvents(bus)`. */
  readonly bus: Bus;
  /** Absent where no logs of others are watched. */
  readonly witness: Witness | undefined;
  readonly approvals: ApprovalDesk;
  /** The way to servers that strangers name. */
  readonly outbound: Outbound;
  readonly providers: readonly ProviderStatus[];
  /** The vendors at which people connect accounts of their own. */
  readonly connectable: readonly ConnectableVendor[];
  readonly tools: OfferedTools;
  readonly toolMode: ToolMode;
  /** How clients write the arguments of tools. */
  readonly forms: ToolForms;
  /** Scripts run here; whoever opens a sandbox closes it. */
  openSandbox(options: SandboxOptions): Promise<ScriptSandbox>;
}
