/** Something that waits until it is rung, or until a time has passed. */
export class Alarm {
  #rung = Promise.withResolvers<void>();

  ring(): void {
    this.#rung.resolve();
  }

  /** Rings that came since the last wait count too. @param ms for ever when absent */
  async wait(ms: number | undefined): Promise<void> {
    const rung = this.#rung;
    const timer = ms === undefined ? undefined : setTimeout(() => rung.resolve(), ms);
    await rung.promise;
    clearTimeout(timer);
    // Of several that wait, the first begins anew.
    if (this.#rung === rung) this.#rung = Promise.withResolvers();
  }
}
