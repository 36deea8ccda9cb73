import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type { StoreOptions } from '../../runtime/store/index.ts';
import type { Random } from './random.ts';

/** Where the things are that the rounds are about. */
export interface Engine {
  readonly name: 'SQLite' | 'PostgreSQL';
  /** A fresh, empty database. */
  database(): Promise<StoreOptions>;
}

/** What a kind of kill gets: how often, at which moments, and room for its files. */
export interface Campaign {
  readonly engine: Engine;
  readonly rounds: number;
  readonly random: Random;
  /** A folder that is removed when all is over. */
  readonly folder: string;
}

/** A new folder within that of the campaign. */
export function freshFolder({ folder }: Pick<Campaign, 'folder'>): string {
  return mkdtempSync(join(folder, 'round-'));
}
