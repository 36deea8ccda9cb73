/** Headers that tell a back end for which of its tenants it is asked. */
export function tenantHeaders(
  names: readonly string[] | undefined,
  tenantId: string | undefined,
): Record<string, string> {
  if (names === undefined || tenantId === undefined || tenantId === '') return {};
  const parts = names.length === 1 ? [tenantId] : tenantId.split(':');
  return Object.fromEntries(names.map((name, index) => [name.toLowerCase(), parts[index] ?? '0']));
}
