// Drives @modelcontextprotocol/client, the second version of the TypeScript SDK.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { drive, names, root } from './driver.mjs';

drive(async ({ url, token, version }, user) => {
  const modern = version === '2026-07-28';
  const client = new Client({ name: 'interop', version: '1' }, {
    versionNegotiation: { mode: modern ? 'auto' : 'legacy' },
    capabilities: { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} },
  });
  client.setRequestHandler('elicitation/create', async ({ params }) => user.elicit(params));
  client.setRequestHandler('sampling/createMessage', async ({ params }) => user.sample(params));
  client.setRequestHandler('roots/list', async () => ({ roots: [{ uri: root, name: 'interop' }] }));
  client.setNotificationHandler('notifications/tools/list_changed', async () => user.changed('tools'));
  client.setNotificationHandler('notifications/resources/updated', async ({ params }) => user.changed(`updated ${params.uri}`));
  const headers = token ? { Authorization: `Bearer ${token}` } : {};
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  await client.connect(transport);
  if (client.getNegotiatedProtocolVersion() !== version) throw new Error(`the protocol is ${client.getNegotiatedProtocolVersion()}`);

  return {
    async list({ name }) {
      const list = { tools: 'listTools', prompts: 'listPrompts', resources: 'listResources', resourceTemplates: 'listResourceTemplates' }[name];
      return names((await client[list]())[name]); // all pages
    },
    // Who wants to know about progress is told of rounds as well: that is the client's own.
    call: ({ name, arguments: args, steps }, { signal, progress }) =>
      client.callTool({ name, arguments: args }, { signal, onprogress: steps ? progress : undefined }),
    get: ({ name, arguments: args }) => client.getPrompt({ name, arguments: args }),
    read: ({ name }) => client.readResource({ uri: name }),
    complete({ name, arguments: args }) {
      const [[argument, value]] = Object.entries(args);
      return client.complete({ ref: { type: 'ref/prompt', name }, argument: { name: argument, value } });
    },
    async watch({ name }) {
      if (modern) await client.listen({ toolsListChanged: true, resourceSubscriptions: [name] });
      else await client.subscribeResource({ uri: name });
      return [];
    },
    async close() {
      if (!modern) await transport.terminateSession();
      await client.close();
    },
  };
});
