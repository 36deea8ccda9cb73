import type { ApiDocument } from '../../read/document/api-document.ts';
import type { Located } from '../texts/report.ts';
import type { Curation } from './curation.ts';

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
