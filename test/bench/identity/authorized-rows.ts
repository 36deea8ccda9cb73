import { mcp } from '../http-bench.ts';
import { compare, processorRow } from '../processor-time.ts';
import type { Row } from '../row.ts';
import { freshAgent, startProduct } from './agents.ts';

/** What a call takes that has to show a token, against one on loopback that need not. */
export async function authorizedRows(): Promise<Row[]> {
  const required = await startProduct();
  const open = await startProduct({ SERVICE_AUTH: 'local' });
  try {
    const { token } = await freshAgent(required.url);
    const call = (url: string) =>
      mcp(`${url}/mcp`, 'tools/call', 'bench_echo', { text: 'hello', limit: 5 });
    const load = call(required.url);
    const headers = { ...load.headers, authorization: `Bearer ${token}` };
    const found = await compare(
      { server: required, load: { ...load, headers } },
      { server: open, load: call(open.url) },
    );
    const what = '`tools/call` with a token / with authorization off, whole product';
    return [processorRow(what, 1.1, found)];
  } finally {
    await open.stop();
    await required.stop();
  }
}
