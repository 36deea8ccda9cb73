import { framingHeaders } from '#contract/text/field-value';
import { suggestion } from '../../../diagnostics/suggestion.ts';
import type { ToolSchemas } from '../../schema/tool-schema.ts';
import type { CuratedOperation, CuratedPagination, Curation } from '../../shape/curation.ts';
import type { Report } from '../../texts/report.ts';
import { keyHeaders, vendorKeyOf } from '../vendor-key.ts';
import { curateInputs } from './curated-inputs.ts';
import { checkCuratedNames } from './curated-names.ts';
import {
  followArguments,
  type PagingPlan,
  paginationOf,
  pagingInput,
  planPaging,
  positionName,
} from './paging.ts';
import type { Sent, ToolArgument } from './tool-argument.ts';
import type { ToolInput, ToolInputs } from './tool-input.ts';

/** The arguments of a tool, and what its request sends. */
export interface PlannedInputs {
  readonly pagination: CuratedPagination | undefined;
  readonly paging: PagingPlan | undefined;
  readonly sent: readonly Sent[];
  readonly given: readonly ToolArgument[];
}

interface Planning {
  readonly curation: Curation;
  readonly schemas: ToolSchemas;
  readonly report: Report;
}

/** Turn what a request can carry into arguments, constants and paging, as the curation says. */
export function planInputs(
  { curated, pointer }: { readonly curated: CuratedOperation; readonly pointer: string },
  { inputs: collected, body }: ToolInputs,
  { curation, schemas, report }: Planning,
): PlannedInputs {
  const pagination = paginationOf(curation.pagination, curated.pagination);
  const paging = planPaging(pagination, collected, {
    isOwn: curated.pagination !== undefined,
    defaults: curated.params?.defaults ?? {},
    document: schemas.document,
    hide: curated.params?.hide,
  });
  checkPosition({ curated, pointer }, collected, report);
  const added = [
    ...followArguments(curated.response?.follow, paging),
    ...(paging?.arguments ?? []),
  ];
  const made = added.map(({ name }) => name);
  const inputs = collected.map((input) =>
    made.includes(input.name) && !paging?.filled.has(input)
      ? { ...input, name: `${input.name}_${input.from}` }
      : input,
  );
  checkCuratedNames(curated, { pointer, inputs, made }, report);
  const { sent, arguments: given } = curateInputs(inputs, {
    curated,
    pointer,
    body,
    filled: paging?.filled ?? new Map(),
    added,
    headers: sentHeaders(curation, curated),
    schemas,
    report,
  });
  return { pagination, paging, sent, given };
}

/** An operation's own pagination names parameters that the operation has. */
function checkPosition(
  { curated, pointer }: { readonly curated: CuratedOperation; readonly pointer: string },
  inputs: readonly ToolInput[],
  report: Report,
): void {
  const { name, pagination } = curated;
  if (pagination === undefined || pagination.style === 'none') return;
  const wanted = { position: positionName(pagination), limit: pagination.request?.limit };
  for (const wire of Object.values(wanted)) {
    if (wire === undefined || pagingInput(inputs, wire) !== undefined) continue;
    const message = `${name} has no parameter "${wire}" to page with`;
    report.curation('P006', `${pointer}/pagination/request`, message, {
      help: suggestion(
        wire,
        inputs.map((input) => input.wire),
      ),
    });
  }
}

/**
 * Headers that go out without being an argument; the first three are no parameters (OpenAPI 3.1), and
 * the next belong to each request as it is sent.
 */
function sentHeaders({ headers, auth }: Curation, curated: CuratedOperation): ReadonlySet<string> {
  const names = [
    'accept',
    'content-type',
    'authorization',
    ...framingHeaders,
    'accept-encoding',
    'user-agent',
    ...Object.keys(headers ?? {}),
    ...Object.keys(curated.headers ?? {}),
    ...auth.flatMap(({ in: place, name }) => (place === 'header' && name ? [name] : [])),
    ...keyHeaders(vendorKeyOf(curated)),
  ];
  return new Set(names.map((name) => name.toLowerCase()));
}
