// Drives @modelcontextprotocol/sdk, the first version of the TypeScript SDK.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CreateMessageRequestSchema, ElicitRequestSchema, ListRootsRequestSchema,
  ResourceUpdatedNotificationSchema, ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { drive, names, root } from './driver.mjs';

drive(async ({ url, token, version }, user) => {
  const client = new Client({ name: 'interop', version: '1' }, {
    capabilities: { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} },
  });
  client.setRequestHandler(ElicitRequestSchema, async ({ params }) => user.elicit(params));
  client.setRequestHandler(CreateMessageRequestSchema, async ({ params }) => user.sample(params));
  client.setRequestHandler(ListRootsRequestSchema, async () => ({ roots: [{ uri: root, name: 'interop' }] }));
  client.setNotificationHandler(ToolListChangedNotificationSchema, async () => user.changed('tools'));
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, async ({ params }) => user.changed(`updated ${params.uri}`));
  const headers = token ? { Authorization: `Bearer ${token}` } : {};
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  await client.connect(transport);
  if (transport.protocolVersion !== version) throw new Error(`the protocol is ${transport.protocolVersion}`);

  return {
    async list({ name }) {
      const list = { tools: 'listTools', prompts: 'listPrompts', resources: 'listResources', resourceTemplates: 'listResourceTemplates' }[name];
      const all = [];
      let cursor;
      do {
        const page = await client[list]({ cursor });
        all.push(...page[name]);
        cursor = page.nextCursor;
      } while (cursor);
      return names(all);
    },
    call: ({ name, arguments: args }, { signal, progress }) => client.callTool({ name, arguments: args }, undefined, { signal, onprogress: progress }),
    get: ({ name, arguments: args }) => client.getPrompt({ name, arguments: args }),
    read: ({ name }) => client.readResource({ uri: name }),
    complete({ name, arguments: args }) {
      const [[argument, value]] = Object.entries(args);
      return client.complete({ ref: { type: 'ref/prompt', name }, argument: { name: argument, value } });
    },
    async watch({ name }) {
      await client.subscribeResource({ uri: name });
      return [];
    },
    async close() {
      await transport.terminateSession();
      await client.close();
    },
  };
});
