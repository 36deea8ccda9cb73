import test from 'node:test';
import { walkTenants } from '../walk-tenants.ts';

test('no route and no tool tells one tenant of what another has', (t) => walkTenants(t));
