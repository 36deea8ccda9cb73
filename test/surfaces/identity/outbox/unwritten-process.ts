import { createService } from '../../../../runtime/main.ts';
import { deedsEnvironment } from './deeds.ts';

// A server that never gets to writing down what it has done, but for the tokens that it gives. Whoever
// has started it kills it. The first word is its data folder.

const [, , dataDir = ''] = process.argv;
const service = await createService({
  ...deedsEnvironment,
  ...{ SERVICE_DATA_DIR: dataDir, SERVICE_LOG_LEVEL: 'silent', SERVICE_ENABLE_BUS: '1' },
});
const { audit } = service.engines;
const append = audit.append.bind(audit);
audit.append = (event) =>
  event.action === 'TOKEN_ISSUED' ? append(event) : new Promise<never>(() => {});
await service.life.start();
const listening = await service.http.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`${new URL(listening).origin}\n`);
