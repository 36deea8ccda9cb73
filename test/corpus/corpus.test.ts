import { openFixtures } from './entries.ts';
import { readAll } from './read-all.ts';

readAll(openFixtures());
