// Drives @ai-sdk/mcp, which has a protocol implementation of its own.
import { createMCPClient, ElicitationRequestSchema } from '@ai-sdk/mcp';
import { drive, names } from './driver.mjs';

drive(async ({ url, token, version }, user) => {
  const headers = token ? { Authorization: `Bearer ${token}` } : {};
  const client = await createMCPClient({
    transport: { type: 'http', url, headers },
    protocolVersionDiscovery: version === '2026-07-28',
    capabilities: { elicitation: {} }, // forms only
    onUncaughtError: (error) => console.error('uncaught:', error),
  });
  client.onElicitationRequest(ElicitationRequestSchema, async ({ params }) => user.elicit(params));
  if (client.initializeResult.protocolVersion !== version) throw new Error(`the protocol is ${client.initializeResult.protocolVersion}`);

  return {
    async list({ name }) {
      const list = { tools: 'listTools', prompts: 'listPrompts', resources: 'listResources', resourceTemplates: 'listResourceTemplates' }[name];
      const all = [];
      let cursor;
      do {
        const page = await client[list]({ params: { cursor } });
        all.push(...page[name]);
        cursor = page.nextCursor;
      } while (cursor);
      return names(all);
    },
    call: ({ name, arguments: args }, { signal }) => client.callTool({ name, arguments: args, options: { signal } }),
    get: ({ name, arguments: args }) => client.getPrompt({ name, arguments: args }),
    read: ({ name }) => client.readResource({ uri: name }),
    complete({ name, arguments: args }) {
      const [[argument, value]] = Object.entries(args);
      return client.complete({ ref: { type: 'ref/prompt', name }, argument: { name: argument, value } });
    },
    close: () => client.close(),
  };
});
