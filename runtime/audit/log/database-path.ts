import { join } from 'node:path';

export function databasePath(directory: string): string {
  return join(directory, 'audit.sqlite');
}
