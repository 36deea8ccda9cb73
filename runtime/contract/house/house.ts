import type { Bus } from '../bus/bus.ts';
import type { EventDoor } from '../bus/events.ts';
import type { ConnectableVendor } from '../connect/connectable.ts';
import type { PriceList } from '../payment/price-list.ts';
import type { ScopeCatalogue } from '../scope.ts';
import type { DocumentSigner } from '../surface/document-signer.ts';
import type { SignedInPeople } from '../surface/people.ts';
import type { GateMaker } from '../telemetry/browser-gate.ts';
import type { OwnTelemetry } from '../telemetry/own-telemetry.ts';
import type { OwnAddress } from '../tenant/own-address.ts';
import type { Tenants } from '../tenant/tenants.ts';
import type { ApprovalDesk } from './approval.ts';
import type { AuditDoor } from './audit-events.ts';
import type { ConfirmDoor } from './confirm-door.ts';
import type { Jobs } from './jobs.ts';
import type { Log } from './log.ts';
import type { SurfaceMetrics } from './metrics.ts';
import type { OfferedTools, ToolMode } from './offered-tools.ts';
import type { SharedOutbound } from './outbound.ts';
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
  /** Whom others can write to about this server (`SERVICE_CONTACT`). */
  readonly contact: string | undefined;
  readonly log: Log;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly metrics: SurfaceMetrics;
  /** Absent where no surface keeps it. */
  readonly ownTelemetry: OwnTelemetry | undefined;
  /** Folder for what has to survive a restart of this process alone; whoever needs it makes it. */
  readonly dataDir: string;
  readonly readiness: Readiness;
  readonly keys: Keys;
  /**
   * The value of a variable that an operator names elsewhere than in the settings, or of the file that
   * `<name>_FILE` names: for credentials alone.
   */
  readonly secretOf: (name: string) => string | undefined;
  /** The TCP port at which this process listens; nothing while it does not. */
  readonly ownPort: () => number | undefined;
  /** That of the tenant `default`; what serves all of them asks `tenants`. */
  readonly address: OwnAddress;
  readonly tenants: Tenants;
  /** Every right that a caller can be given. */
  readonly scopes: ScopeCatalogue;
  readonly pages: Pages;
  readonly people: SignedInPeople;
  readonly signer: DocumentSigner;
  /** `storeWith` gives it the tables of the surface. */
  readonly store: AnyStore;
  /** A surface lists its jobs in what it gives back; here it stores work for them. */
  readonly jobs: Pick<Jobs, 'enqueue' | 'wake'>;
  readonly audit: AuditDoor;
  /** Events are published by what is generated for them: `createEvents(bus)`. */
  readonly bus: Bus;
  /**
   * Where the server tells of its own what becomes of agents, approvals and tasks; absent where the
   * operator has not switched the event bus on.
   */
  readonly announcements: EventDoor | undefined;
  /** Absent where no logs of others are watched. */
  readonly witness: Witness | undefined;
  readonly approvals: ApprovalDesk;
  /** For what asks in the middle of its work; admission asks before it. */
  readonly confirm: ConfirmDoor;
  /** The way to servers that strangers name. */
  readonly outbound: SharedOutbound;
  /** What pages of browsers send their telemetry through: the same code as at an edge. */
  loadBrowserGate(): Promise<GateMaker>;
  readonly providers: readonly ProviderStatus[];
  /** The vendors at which people connect accounts of their own. */
  readonly connectable: readonly ConnectableVendor[];
  readonly prices: PriceList;
  readonly tools: OfferedTools;
  readonly toolMode: ToolMode;
  /** How clients write the arguments of tools. */
  readonly forms: ToolForms;
  /** Scripts run here; whoever opens a sandbox closes it. */
  openSandbox(options: SandboxOptions): Promise<ScriptSandbox>;
}
