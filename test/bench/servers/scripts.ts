import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { start } from '../../../runtime/commands/service-life.ts';
import { createService } from '../../../runtime/main.ts';
import { announce } from './announce.ts';

/** The whole product, as it shows its tools to scripts. */
const folder = mkdtempSync(join(tmpdir(), 'scripts-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
process.on('SIGTERM', () => process.exit());

const service = await createService({
  SERVICE_TOOL_MODE: 'code',
  SERVICE_DATA_DIR: folder,
  SERVICE_LOG_LEVEL: 'silent',
});
await start(service, undefined, async () => {
  const url = await service.http.listen({ host: '127.0.0.1', port: 0 });
  announce(new URL('/mcp', url).href);
});
