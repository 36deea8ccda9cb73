/** What of a query cannot be done here, and where it stands. */
export class QueryRefusal extends Error {
  constructor(message: string, at?: number) {
    super(at === undefined ? message : `${message} (at character ${at + 1})`);
    this.name = 'QueryRefusal';
  }
}
