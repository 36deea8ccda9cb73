import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// Before everything else, so that it serves everything else. This file alone is JavaScript: the
// first one comes from no cache, and stripping its types would load the compiler.
enableCompileCache(join(import.meta.dirname, '../.cache/node'));

await import('./main.ts');
