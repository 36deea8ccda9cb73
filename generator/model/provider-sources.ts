import type { ApiDocument } from '../read/api-document.ts';
import type { Curation } from './curation.ts';
import type { Located } from './report.ts';

/** What a provider is planned from. */
export interface ProviderSources {
  /** `specs/providers/<id>`. */
  readonly folder: string;
  readonly curation: Curation;
  readonly curationFile: Located;
  readonly document: ApiDocument;
  /** Names of the files in `fixtures/`. */
  readonly fixtures: readonly string[];
}
