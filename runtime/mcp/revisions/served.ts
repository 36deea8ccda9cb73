import type { ServedRevision } from '../request/revision.ts';
import { revision20251125 } from './2025-11-25.ts';
import { revision20260728 } from './2026-07-28.ts';

/** The revisions that this server speaks, newest first. */
export const served: readonly ServedRevision[] = [revision20260728, revision20251125];
