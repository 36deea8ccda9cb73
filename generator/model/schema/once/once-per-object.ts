/** A look at an object that is taken once. Nothing may change in the object, nor in what is found. */
export function oncePerObject<Given extends object, Found extends {}>(
  look: (given: Given) => Found,
): (given: Given) => Found {
  const known = new WeakMap<Given, Found>();
  return (given) => {
    const before = known.get(given);
    if (before !== undefined) return before;
    const found = look(given);
    known.set(given, found);
    return found;
  };
}
