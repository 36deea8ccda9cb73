import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';

// Calls a tool, and waits for an answer until it is killed: `killed-client.ts URL TOOL`.

const [, , url = '', name = ''] = process.argv;
const client = new Client({ name: 'killed', version: '1' });
// Its declarations are not written for exactOptionalPropertyTypes.
await client.connect(new StreamableHTTPClientTransport(new URL(url)) as Transport);
await client.callTool({ name });
