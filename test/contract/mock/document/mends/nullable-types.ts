/**
 * Write `nullable: true` of OpenAPI 3.0 and `x-nullable` of Swagger 2.0 as the type that they mean, and
 * exclusive bounds as the numbers that later versions have.
 */
export function nameNulls(node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  for (const member of Object.values(node)) nameNulls(member);
  const schema = node as Record<string, unknown>;
  const { type } = schema;
  if (typeof type !== 'string') return;
  if (schema['nullable'] === true || schema['x-nullable'] === true) {
    schema['type'] = [type, 'null'];
    if (Array.isArray(schema['enum'])) schema['enum'] = [...new Set([...schema['enum'], null])];
    delete schema['nullable'];
    delete schema['x-nullable'];
  }
  for (const bound of ['minimum', 'maximum']) {
    const key = `exclusive${bound[0]?.toUpperCase()}${bound.slice(1)}`;
    if (typeof schema[key] !== 'boolean') continue;
    const isExclusive = schema[key];
    delete schema[key];
    if (isExclusive && typeof schema[bound] === 'number') {
      schema[key] = schema[bound];
      delete schema[bound];
    }
  }
}
