import { after } from 'node:test';
import { PostgresServer } from '../store/postgres-server.ts';
import { auditContract } from './audit-contract.ts';
import { openLog, temporaryFolder } from './audit-note.ts';

const server = await PostgresServer.start();
after(() => server.stop());

auditContract('PostgreSQL', async (t) => {
  const databaseUrl = await server.createDatabase();
  const folder = temporaryFolder(t);
  return { open: (changes) => openLog(t, folder, { databaseUrl, ...changes }) };
});
