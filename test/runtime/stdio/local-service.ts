import type { TestContext } from 'node:test';
import type { Prompt } from '#contract/prompt';
import type { Tool } from '#contract/tool';
import { localParts } from '../../../runtime/commands/service-life.ts';
import { createService, type Service } from '../../../runtime/main.ts';
import { toolsInMemory } from '../../../runtime/offer/catalogue.ts';
import { LocalServer } from '../../../runtime/stdio/local-server.ts';
import { MeetingPoint } from '../../../runtime/stdio/meeting-point.ts';
import { dataFolder } from './data-folder.ts';

/** Serve tools of a test to the bridges of a data directory, from this process. */
export async function startLocalService(
  t: Pick<TestContext, 'after'>,
  tools: readonly Tool[],
  env: Readonly<Record<string, string>> = {},
  prompts: readonly Prompt[] = [],
): Promise<{ readonly dataDir: string; readonly service: Service }> {
  const dataDir = dataFolder(t);
  const service = await createService(
    {
      SERVICE_DATA_DIR: dataDir,
      SERVICE_PROVIDER: 'osv',
      SERVICE_LOG_LEVEL: 'silent',
      SERVICE_MCP_SESSIONS: 'true',
      ...env,
    },
    [{ id: 'test', title: 'Test', tools: toolsInMemory(tools), prompts }],
  );
  const { endpoint: mcp } = service.mcp;
  const place = new MeetingPoint(dataDir);
  const local = new LocalServer({ ...localParts(service), place, isForBridges: false });
  await local.listen();
  t.after(async () => {
    mcp.drain();
    local.closeAllConnections();
    await local.close();
    local.release();
    await service.life.stop();
  });
  return { dataDir, service };
}
