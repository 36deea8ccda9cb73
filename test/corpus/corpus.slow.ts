import { openCorpus } from './entries.ts';
import { readAll } from './read-all.ts';

readAll(openCorpus());
