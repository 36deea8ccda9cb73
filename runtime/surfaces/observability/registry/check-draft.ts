import type { BackEnds } from '#contract/house/outbound';
import { OutboundError } from '#contract/house/outbound';
import { nearestName } from '#contract/nearest-name';
import type { ProviderAuth } from '../../../../generated/surfaces/observability/types.ts';
import type { LeaveOut } from '../collector-check/leave-out.ts';
import {
  type SecretRules,
  secretsOf,
  strangeFiles,
  type TenantSecrets,
} from '../endpoints/secrets.ts';
import { type Finding, validationFailed } from '../errors.ts';
import { kindNames, loadKinds, signalsOf } from './kinds.ts';
import { ownId, type ProviderDraft } from './provider-entry.ts';
import { filterFault } from './span-condition.ts';
import { isPlainUrl } from './written-url.ts';

/** Headers that may carry a credential. */
const credentialHeaders = new Set([
  'authorization',
  'api-key',
  'api_key',
  'apikey',
  'x-api-key',
  'dd-api-key',
  'dd-application-key',
  'x-auth-token',
  'x-langfuse-public-key',
  'x-clickhouse-key',
  'x-clickhouse-user',
]);

const leastJustification = 40;

export interface DraftRules extends SecretRules {
  readonly backEnds: Pick<BackEnds, 'check' | 'tlsFaults'>;
  readonly leaveOut: LeaveOut;
}

/**
 * Check what the schema cannot say of a back end of a tenant, and where its addresses lead.
 *
 * @throws ServiceError `validation_failed` with everything that is wrong
 */
export async function checkDraft(
  tenant: string,
  draft: ProviderDraft,
  rules: DraftRules,
): Promise<void> {
  const secrets = secretsOf(rules, tenant);
  const findings = [
    ...checkId(draft),
    ...checkKind(draft),
    ...checkJustification(draft),
    ...checkAuth(draft.auth, secrets),
    ...(await checkTls(draft, secrets, rules)),
    ...checkDelivery(draft),
    ...checkSpanFilter(draft),
    ...(await checkEndpoints(draft, rules)),
  ];
  if (findings.length > 0) throw validationFailed(findings);
  // The addresses themselves are right by now: it is what its kind makes of them that may not be.
  const kind = (await loadKinds([draft.kind])).get(draft.kind);
  const leftOut = await rules.leaveOut({ ...draft, tenant }, kind);
  if (leftOut?.field !== 'endpoint') return;
  const reason = `${leftOut.reason}: name another as otlpEndpoint, or say ingest: false`;
  throw validationFailed([{ field: leftOut.field, reason }]);
}

function checkId({ id }: ProviderDraft): Finding[] {
  return id === ownId ? [{ field: 'id', reason: 'is what this server keeps itself' }] : [];
}

/** The schema counts characters, of which blanks say nothing. */
function checkJustification({ justification }: ProviderDraft): Finding[] {
  if (justification === undefined) return [];
  const words = justification.trim().replace(/\s+/g, ' ');
  if (words.length >= leastJustification) return [];
  const reason = `takes ${leastJustification} characters or more, besides blanks around them`;
  return [{ field: 'justification', reason }];
}

function checkKind({ kind, signal }: ProviderDraft): Finding[] {
  const known = signalsOf(kind);
  if (known === undefined) {
    const near = nearestName(kind, kindNames);
    const hint = near === undefined ? `there are ${kindNames.join(', ')}` : `did you mean ${near}?`;
    return [{ field: 'kind', reason: `there is no kind ${JSON.stringify(kind)}: ${hint}` }];
  }
  if (known.includes(signal)) return [];
  const reason = `${kind} takes ${known.join(', ')}, but the signal is ${signal}`;
  return [{ field: 'kind', reason }];
}

function checkAuth(auth: ProviderAuth, { prefixes, secretsDir }: TenantSecrets): Finding[] {
  const { type, env, secretRef, header } = auth;
  const findings: Finding[] = [];
  if (type === 'none') {
    if (env !== undefined || secretRef !== undefined || header !== undefined) {
      const reason = 'is for credentials, but the type is none';
      findings.push({ field: 'auth', reason });
    }
    return findings;
  }
  if ((env === undefined) === (secretRef === undefined)) {
    const reason = `a credential of type ${type} comes from either env or secretRef`;
    findings.push({ field: 'auth', reason });
  }
  if (env !== undefined && !prefixes.some((prefix) => env.startsWith(prefix))) {
    findings.push({ field: 'auth.env', reason: namesOf(prefixes) });
  }
  if (secretRef !== undefined && secretsDir === undefined) {
    const reason = 'there is no folder of secrets (SERVICE_OBSERVABILITY_SECRETS_DIR)';
    findings.push({ field: 'auth.secretRef', reason });
  }
  if (type === 'header' && !credentialHeaders.has(header?.toLowerCase() ?? '')) {
    const reason = `must be one of ${[...credentialHeaders].join(', ')}`;
    findings.push({ field: 'auth.header', reason });
  }
  if (type !== 'header' && header !== undefined) {
    findings.push({ field: 'auth.header', reason: `is for the type header, not for ${type}` });
  }
  return findings;
}

/** Which variables may be named. */
function namesOf(prefixes: readonly string[]): string {
  if (prefixes.length === 0) {
    return 'the variables of this server are for its own tenant alone: name a file as secretRef';
  }
  return `must begin with ${prefixes.join(' or ')} (SERVICE_OBSERVABILITY_SECRET_ENV_PREFIXES), or any secret of this server could be sent away`;
}

async function checkTls(
  { tls, justification }: ProviderDraft,
  secrets: TenantSecrets,
  { backEnds }: DraftRules,
): Promise<readonly Finding[]> {
  const strange = strangeFiles(tls, secrets);
  const findings: Finding[] = strange.map((name) => ({
    field: `tls.${name}`,
    reason: 'must lie in the folder of secrets of the tenant',
  }));
  // Those of others are not even looked at.
  const faults = strange.length > 0 ? [] : await backEnds.tlsFaults(tls);
  for (const { file, reason, isThere } of faults) {
    if (isThere) findings.push({ field: `tls.${file}`, reason });
  }
  if (tls.insecureSkipVerify && justification === undefined) {
    const reason = 'a certificate is left unchecked only with a justification';
    findings.push({ field: 'justification', reason });
  }
  if ((tls.certFile === undefined) !== (tls.keyFile === undefined)) {
    findings.push({ field: 'tls', reason: 'certFile and keyFile go together' });
  }
  return findings;
}

function checkDelivery({ delivery, justification }: ProviderDraft): Finding[] {
  if (delivery === 'collector' || justification !== undefined) return [];
  const reason =
    'telemetry goes past the collector (direct_push) only with a justification of 40 characters or more';
  return [{ field: 'justification', reason }];
}

function checkSpanFilter({ spanFilter, signal }: ProviderDraft): Finding[] {
  if (spanFilter !== 'none' && signal !== 'trace') {
    return [{ field: 'spanFilter', reason: `is for traces, but the signal is ${signal}` }];
  }
  const reason = filterFault(spanFilter);
  return reason === undefined ? [] : [{ field: 'spanFilter', reason }];
}

async function checkEndpoints(draft: ProviderDraft, { backEnds }: DraftRules): Promise<Finding[]> {
  const fields = ['endpoint', 'otlpEndpoint', 'pushUrl'] as const;
  const found = await Promise.all(
    fields.map(async (field): Promise<Finding[]> => {
      const url = draft[field];
      if (url === undefined) return [];
      if (!isPlainUrl(url)) {
        const reason = 'is no absolute URL, or holds blanks, backslashes or control characters';
        return [{ field, reason }];
      }
      try {
        await backEnds.check(url);
        return [];
      } catch (error) {
        if (error instanceof OutboundError) return [{ field, reason: error.message }];
        throw error;
      }
    }),
  );
  return found.flat();
}
