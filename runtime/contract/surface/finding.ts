/** What one check of the doctor found, and what to do where it is not as it should be. */
export interface Finding {
  readonly kind: 'ok' | 'advice' | 'problem';
  readonly text: string;
  readonly fix?: string;
}
