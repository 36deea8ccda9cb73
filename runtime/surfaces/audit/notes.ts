import type { Caller } from '#contract/caller';
import { ToolError } from '#contract/errors';
import type { AuditQuery, AuditRecord } from '#contract/house/audit';
import { type AuditDoor, type AuditReader, authorOf } from '#contract/house/audit-events';
import { createAuditEvents } from '../../../generated/surfaces/audit/events.ts';
import type { AuditTools } from '../../../generated/surfaces/audit/tools.ts';
import type {
  AuditArguments,
  AuditResult,
  AuditResultEntry,
} from '../../../generated/surfaces/audit/types.ts';

const note = 'AGENT_NOTE';
/** How many pages are read in search of entries: the log cannot look into a note's own words. */
const mostPages = 20;
const pageSize = 1000;

/** Let agents write notes into the log and read the newest entries of their tenant. */
export function createNotes(log: AuditDoor): AuditTools {
  const events = createAuditEvents(log);
  return {
    async audit(args, { caller }) {
      if (args.operation === 'list') return list(await log.open(), args, caller);
      const { category, action, summary } = complete(args);
      refuseEventName(log, action);
      const receipt = await events.agentNote({
        ...authorOf(caller),
        correlation_id: args.correlationId,
        summary,
        payload: { category, action },
      });
      return { ok: true, total: receipt.seq + 1, ...receipt };
    },
  };
}

type Note = Required<Pick<AuditArguments, 'category' | 'action' | 'summary'>>;

function complete({ category, action, summary }: AuditArguments): Note {
  if (category !== undefined && action !== undefined && summary !== undefined) {
    return { category, action, summary };
  }
  const missing = Object.entries({ category, action, summary })
    .filter(([, value]) => value === undefined)
    .map(([name]) => name);
  const message = `append needs category, action and summary; missing: ${missing.join(', ')}`;
  throw new ToolError('invalid_arguments', message, { retryable: false });
}

/** What the server itself records is told by its own name: a note must not be taken for it. */
function refuseEventName(log: AuditDoor, action: string): void {
  if (!log.isEvent(action.normalize('NFKC').trim().toUpperCase())) return;
  const message = `action: ${JSON.stringify(action)} is what this server records itself; say it in words of your own`;
  throw new ToolError('invalid_arguments', message, { retryable: false });
}

async function list(
  log: AuditReader,
  args: AuditArguments,
  { tenant, scopes }: Caller,
): Promise<AuditResult> {
  const { limit = 20, correlationId } = args;
  const seesAll = scopes === 'all' || scopes.has('audit:read');
  const query: Omit<AuditQuery, 'before'> = {
    tenant,
    ...(!seesAll && { action: note }),
    ...(correlationId !== undefined && { correlation_id: correlationId }),
    limit: narrows(args) ? pageSize : limit,
  };
  const entries: AuditResultEntry[] = [];
  let before = args.before;
  let total = 0;
  for (let page = 0; page < mostPages && entries.length < limit; page++) {
    const { records, next, size } = await log.list({ ...query, before });
    total = size;
    const fitting = records.map(shown).filter((entry) => fits(entry, args));
    entries.push(...fitting.slice(0, limit - entries.length));
    before = fitting.length > 0 && entries.length === limit ? entries.at(-1)?.seq : next;
    if (before === undefined) break;
  }
  const rest = before === undefined || before === 0 ? {} : { next: before };
  return { ok: true, total, entries, ...rest };
}

function narrows({ category, action }: AuditArguments): boolean {
  return category !== undefined || action !== undefined;
}

function fits(entry: AuditResultEntry, { category, action }: AuditArguments): boolean {
  return (
    (category === undefined || entry.category === category) &&
    (action === undefined || entry.action === action)
  );
}

/** A note goes by the names that the agent gave it; that it is one shows in `event`. */
function shown({ entry }: AuditRecord): AuditResultEntry {
  const { seq, ts, category, action, outcome, summary, correlation_id, payload } = entry;
  const { type, id } = entry.actor;
  const own = action === note ? payload : {};
  return {
    seq,
    ts,
    event: action,
    actor: { type, id },
    category: String(own['category'] ?? category),
    action: String(own['action'] ?? action),
    outcome,
    summary,
    correlationId: correlation_id,
  };
}
