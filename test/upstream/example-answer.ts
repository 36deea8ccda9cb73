import type { Operation } from 'openapi-backend';

interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly body: unknown;
}

interface MediaType {
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>;
}

/** The first success answer of an operation, with the example that its description gives. */
export function exampleAnswer(operation: Operation, requestBody: string): Answer {
  const responses = Object.entries(operation.responses ?? {});
  const success = responses.find(([status]) => status.startsWith('2'));
  if (!success) throw new Error(`${operation.operationId} has no success response`);
  const [status, response] = success;
  const content = (response as { content?: Record<string, MediaType> }).content ?? {};
  const [contentType = 'application/json', media = {}] = Object.entries(content)[0] ?? [];
  return { status: Number(status), contentType, body: pickExample(media, requestBody) };
}

function pickExample(media: MediaType, requestBody: string): unknown {
  if (media.example !== undefined) return media.example;
  const examples = media.examples ?? {};
  const name = graphqlOperationName(requestBody);
  const example = (name && examples[name]) || Object.values(examples)[0];
  return example?.value;
}

/** The name of the operation in a GraphQL request body: one path serves them all. */
function graphqlOperationName(body: string): string | undefined {
  return /"query":"\s*(?:\\n|\s)*(?:query|mutation)\s+(\w+)/.exec(body)?.[1];
}
