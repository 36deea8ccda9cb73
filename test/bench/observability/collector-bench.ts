import { checkFile } from '../../../runtime/surfaces/observability/collector-check/ladder.ts';
import { generateFile } from '../../../runtime/surfaces/observability/collector-file/generate.ts';
import { kindNames, loadKinds } from '../../../runtime/surfaces/observability/registry/kinds.ts';
import { draftFrom } from '../../../runtime/surfaces/observability/registry/new-draft.ts';
import { collectorOptions } from '../../surfaces/observability/collector-options.ts';
import { median, type Row } from '../row.ts';

const rounds = 31;
const life = {
  version: 1,
  etag: '"1"',
  createdAt: 0,
  tenant: 'default',
  createdBy: 'a',
  updatedAt: 0,
  updatedBy: 'a',
};
const stores = [
  ['log', 'loki'],
  ['metric', 'prometheus'],
  ['trace', 'tempo'],
  ['trace', 'phoenix'],
] as const;

/** The collector's file from 100 back ends, made and checked without the collector itself. */
export async function collectorBench(): Promise<Row[]> {
  const kinds = await loadKinds(kindNames);
  const providers = Array.from({ length: 100 }, (_, index) => {
    const [signal, kind] = stores[index % stores.length] ?? stores[0];
    const id = `p${index}`;
    const said = {
      ...{ name: id, kind, endpoint: `https://${id}.example.com:3100`, tenantId: id },
      auth: { type: 'bearer', env: 'OBS_TOKEN' } as const,
      ...(kind === 'phoenix' && { spanFilter: 'gen_ai_or_service' }),
    };
    return { ...draftFrom(id, signal, said), ...life };
  });
  const snapshot = { providers, digest: 'd'.repeat(64) };
  const times = Array.from({ length: rounds }, () => {
    const begun = performance.now();
    const generated = generateFile(snapshot, kinds, collectorOptions);
    const findings = checkFile(generated, collectorOptions);
    if (findings.length > 0) throw new Error(JSON.stringify(findings));
    return performance.now() - begun;
  });
  const [first = Number.NaN] = times;
  const typical = median(times);
  return [
    {
      what: 'collector file from 100 providers: generate + validate (without the binary)',
      target: 'at most 50 ms',
      measured: `${typical.toFixed(1)} ms`,
      met: typical <= 50,
      detail: `median of ${rounds}; the first one, which compiles the schemas, takes ${first.toFixed(0)} ms`,
    },
  ];
}
