import type { Service } from '../main.ts';

const deadlineMs = 10_000;

/** What one anchor knows of a log, or why it could not be asked. */
export interface Outside {
  readonly target: string;
  /** Absent where it has never heard of the log. */
  readonly note?: string | undefined;
  readonly failure?: string;
}

/** Ask every anchor of this server for the newest checkpoint of a log. */
export function askAnchors(service: Service, origin: string): Promise<readonly Outside[]> {
  return Promise.all(
    service.auditOptions.anchors.map(async (anchor) => {
      const { target } = anchor;
      try {
        return { target, note: await anchor.newest(origin, AbortSignal.timeout(deadlineMs)) };
      } catch (error) {
        return { target, failure: error instanceof Error ? error.message : String(error) };
      }
    }),
  );
}
