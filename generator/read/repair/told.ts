import type { Path } from '../text/origins.ts';

/** Say that something is read otherwise than it is written. */
export type Told = (path: Path, message: string) => void;
