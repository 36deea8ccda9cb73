import type { House } from '#contract/house/house';
import type { SurfaceCommand } from '#contract/surface/surface-module';
import { defaultTenant } from '#contract/tenant/tenants';
import { exportedLedger } from './export.ts';
import type { OperatorParts } from './operator-parts.ts';
import { checkPayments } from './reconcile-command.ts';
import { refundPayment } from './refund-command.ts';
import { listedPayments, shownPayment } from './shown-payments.ts';
import { periodOf, usage } from './usage.ts';

type Options = Parameters<SurfaceCommand>[1];

interface Asked {
  readonly tenant: string;
  readonly options: Options;
}

type Action = (parts: OperatorParts, asked: Asked, id: string) => Promise<string>;

/** What can be done, and whether it takes the id of a payment. */
const actions: Readonly<Record<string, { readonly takesId: boolean; readonly run: Action }>> = {
  list: {
    takesId: false,
    run: (parts, { tenant, options }) => listedPayments(parts, tenant, options),
  },
  show: { takesId: true, run: (parts, { tenant }, id) => shownPayment(parts, tenant, id) },
  refund: { takesId: true, run: (parts, { tenant }, id) => refundPayment(parts, tenant, id) },
  reconcile: {
    takesId: false,
    run: (parts, { tenant, options }) => checkPayments(parts, tenant, options),
  },
  // For the command doctor, which prints them as all others.
  doctor: {
    takesId: false,
    async run({ diagnose }) {
      return JSON.stringify(await Array.fromAsync(diagnose()));
    },
  },
  export: {
    takesId: false,
    async run({ ledger, unitOf }, { tenant, options }) {
      return exportedLedger(ledger.entries(tenant, periodOf(options)), unitOf);
    },
  },
};

/** What an operator does with payments at the terminal; what it takes is loaded with the first of them. */
export function paymentsCommand(
  { tenants }: Pick<House, 'tenants'>,
  load: () => Promise<OperatorParts>,
): SurfaceCommand {
  return async ([name = '', ...words], options) => {
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
    const [id = ''] = words;
    if (action === undefined || words.length !== (action.takesId ? 1 : 0)) {
      throw usage('payments takes one of: list, show ID, refund ID, reconcile, export');
    }
    const tenant = options['tenant'] ?? defaultTenant;
    if (!tenants.find(tenant)) {
      throw usage(`there is no tenant ${JSON.stringify(tenant.slice(0, 80))}`);
    }
    return action.run(await load(), { tenant, options }, id);
  };
}
