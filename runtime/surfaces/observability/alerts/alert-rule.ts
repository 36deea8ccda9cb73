/** How much an alert matters. */
export const severities = ['info', 'warning', 'critical'] as const;
export type Severity = (typeof severities)[number];

/** A rule of the catalog: an alert for each set of labels for which its query gives something. */
export interface AlertRule {
  /** Names it among all rules, for as long as it asks for the same. */
  readonly id: string;
  readonly group: string;
  readonly alert: string;
  /** PromQL. */
  readonly expr: string;
  /** How long its condition has to hold before it fires, in milliseconds, and as it was written. */
  readonly forMs: number;
  readonly forText: string;
  /** How long it goes on firing after that. */
  readonly keepMs: number;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** Rules that are looked at together. */
export interface AlertGroup {
  readonly name: string;
  readonly intervalMs: number;
  readonly rules: readonly AlertRule[];
}

/** A file of rules, read. */
export interface AlertCatalog {
  /** As people know it. */
  readonly path: string;
  readonly sha256: string;
  readonly groups: readonly AlertGroup[];
}

/** Which word of a severity stands in the labels; `warning` where none does. */
export function severityOf({ severity }: Readonly<Record<string, string>>): Severity {
  return severities.find((each) => each === severity) ?? 'warning';
}
