import { createHash } from 'node:crypto';
import { type ApiOperation, apiOperations, routeOf } from '../../model/schema/api-operations.ts';
import type { CuratedOperation, Curation } from '../../model/shape/curation.ts';
import type { ToolModel } from '../../model/shape/provider-model.ts';
import { headersReadOf } from '../../model/vendor/headers-read.ts';
import type { ApiDocument } from '../../read/document/api-document.ts';
import { draftFixture } from '../examples/draft-fixture.ts';
import { linesExample, responseExample } from '../examples/response-example.ts';
import { linesContent, successContent } from '../examples/success-content.ts';
import { credentialTest, usedBy } from '../guess/credential-names.ts';
import type { CurationDraft } from './curation-text.ts';
import { sliceDocument } from './slice-document.ts';
import { visibleYaml } from './visible-text.ts';
import type { ProviderFile } from './write-provider.ts';

/** What of a curation decides how its other files look. */
export type CuratedRequests = Pick<
  Curation,
  'servers' | 'auth' | 'headers' | 'query' | 'pagination' | 'operations'
>;

/** The requests of a draft: those of the operations that are switched on. */
export function requestsOf({
  server,
  auth,
  otherAuth,
  pagination,
  operations,
}: CurationDraft): CuratedRequests {
  const switchedOn = operations.filter((entry) => entry.switchedOn);
  return {
    servers: [{ url: server.url }],
    auth: [auth.auth, ...otherAuth],
    ...(auth.headers && { headers: auth.headers }),
    ...(auth.query && { query: auth.query }),
    ...(pagination && { pagination }),
    operations: switchedOn.map(({ operation }) => operation),
  };
}

/** Draft `openapi.yaml` for the operations that a curation names. */
export function draftDescription(
  document: ApiDocument,
  curation: CuratedRequests,
  texts: boolean,
): ProviderFile {
  const slice = draftSlice(document, curation, texts);
  return { name: 'openapi.yaml', text: visibleYaml(slice), keep: false };
}

/** The same as JSON, which takes a fraction of the time, for what nobody reads. */
export function trialDescription(
  document: ApiDocument,
  curation: CuratedRequests,
  texts: boolean,
): ProviderFile {
  const text = JSON.stringify(draftSlice(document, curation, texts));
  return { name: 'openapi.json', text, keep: false };
}

function draftSlice(document: ApiDocument, curation: CuratedRequests, texts: boolean) {
  const pairs = curatedOperations(document, curation.operations);
  const curated = new Map(pairs.map((pair) => [pair.operation, pair.curated]));
  return sliceDocument(document, {
    operations: pairs.map(({ operation }) => operation),
    headersOf: (operation) => headersReadOf(curation, curated.get(operation)),
    texts,
    isCredential: (parameter, operation) =>
      testOf(curation.auth, curated.get(operation)?.auth)(parameter),
    exampleOf: (operation) => {
      const content = successContent(document, operation);
      return content && responseExample(document, content);
    },
  });
}

/** Draft a fixture for each tool that has become of an operation. */
export function draftFixtures(
  document: ApiDocument,
  curation: CuratedRequests,
  tools: readonly ToolModel[],
): ProviderFile[] {
  const byName = new Map(tools.map((tool) => [tool.definition.name, tool]));
  return curatedOperations(document, curation.operations).flatMap(({ operation, curated }) => {
    const tool = byName.get(curated.name);
    if (!tool) return [];
    const content = successContent(document, operation);
    const lines = content === undefined ? linesContent(document, operation) : undefined;
    const answer = content ?? lines;
    const fixture = draftFixture(document, operation, {
      server: curation.servers[0].url,
      tool,
      isCredential: testOf(curation.auth, curated.auth),
      response: {
        status: Number(answer?.status.replace(/XX$/i, '00') ?? 200),
        headers: { 'content-type': answer?.contentType ?? 'application/json' },
        body: content
          ? responseExample(document, content)
          : ((lines && linesExample(document, lines)) ?? null),
      },
    });
    const name = `fixtures/${curated.name}.json`;
    return [{ name, text: `${JSON.stringify(fixture, null, 2)}\n`, keep: true }];
  });
}

function testOf(auth: CuratedRequests['auth'], ids: readonly string[] | undefined) {
  return credentialTest(auth, usedBy(auth, ids));
}

interface Pair {
  readonly curated: CuratedOperation;
  readonly operation: ApiOperation;
}

/** The operations of the description that a curation names, in the order of the description. */
function curatedOperations(
  document: ApiDocument,
  operations: readonly CuratedOperation[],
): readonly Pair[] {
  const byId = new Map(operations.map((curated) => [curated.from.operationId, curated]));
  const byRoute = new Map(
    operations.map((curated) => [`${curated.from.method} ${curated.from.path}`, curated]),
  );
  return apiOperations(document).all.flatMap((operation) => {
    const curated =
      (operation.id === undefined ? undefined : byId.get(operation.id)) ??
      byRoute.get(routeOf(operation));
    return curated ? [{ curated, operation }] : [];
  });
}

/** The record of where the description comes from, by which a later version is noticed. */
export function upstreamText(options: {
  readonly source: { readonly url: string } | { readonly file: string };
  readonly version: string;
  readonly bytes: Buffer;
  readonly licence: string | undefined;
  readonly day: string;
  readonly total: number;
  readonly kept: number;
}): string {
  const { source, version, bytes, licence, day, total, kept } = options;
  const record = {
    ...source,
    version,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    ...(licence !== undefined && { licence }),
    fetched_at: day,
    source: licence === undefined ? 'names and shapes only' : 'sliced',
    operations_total: total,
    operations_kept: kept,
  };
  return `${JSON.stringify(record, null, 2)}\n`;
}
