/** What somebody counts, under a name of its own (OpenMetrics). */
export interface Measure {
  /** With the unit at its end, such as `notify_delivery_seconds`. */
  readonly name: string;
  /** One sentence for whoever reads the metrics. */
  readonly help: string;
}

/** What tells the values of one name apart: few names, of which few values are known before. */
export type MeasureLabels = Readonly<Record<string, string>>;

/** One of the values of a name. */
export interface Labelled {
  readonly labels: MeasureLabels;
  readonly value: number;
}

/** A number that is read when somebody asks for the metrics. */
export interface Gauge extends Measure {
  /** Whoever throws is left out of that answer. */
  read(): number | readonly Labelled[] | Promise<number | readonly Labelled[]>;
}

/** Adds to a number that only grows. */
export type Count = (by?: number) => void;

/** What the server counts and measures, for its surfaces. */
export interface SurfaceMetrics {
  /** Open a counter. @throws Error when the name is taken */
  counter(measure: Measure): Count;
  /** The same for several numbers of one name. @throws Error when the name is taken */
  counters(measure: Measure): (labels: MeasureLabels, by?: number) => void;
  /** All values as text, in the best format that the Accept header names. */
  expose(accept: string): Promise<{ readonly contentType: string; readonly text: string }>;
}
