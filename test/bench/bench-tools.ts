/** `count` tools as a vendor's curation gives them: six arguments, some with bounds and values. */
export function benchTools(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    name: index === 0 ? 'bench_echo' : `bench_things_list_${index}`,
    title: 'List things',
    description: 'List the things of a project, newest first. Use it before reading one thing.',
    inputSchema,
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  }));
}

const inputSchema = {
  type: 'object' as const,
  properties: {
    text: { type: 'string', description: 'Text to give back', maxLength: 1000 },
    project: { type: 'string', description: 'Project key, for example ATS', pattern: '^[A-Z]+$' },
    state: { type: 'string', enum: ['open', 'closed', 'all'], description: 'Which things' },
    since: { type: 'string', description: 'Date or time after which the thing changed' },
    limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
    cursor: { type: 'string', description: 'The next_cursor of an earlier answer' },
  },
  required: ['text'],
  additionalProperties: false,
};

/** What `bench_echo` answers. */
export function callResult(text: string) {
  return { content: [{ type: 'text' as const, text }] };
}
