type Optional<Members> = { readonly [Key in keyof Members]?: Members[Key] | undefined };

/** The members that are there: optional properties may not be `undefined`. */
export function present<Members extends object>(members: Optional<Members>): Partial<Members> {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Partial<Members>;
}
