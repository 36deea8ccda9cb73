/** Do `count` acts, `width` of them at a time. */
export async function inFlight(
  width: number,
  count: number,
  act: (number: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await act(next++);
  };
  await Promise.all(Array.from({ length: width }, worker));
}

export async function seconds(act: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await act();
  return (performance.now() - start) / 1000;
}
