// Drives @modelcontextprotocol/client against a server whose tokens come from an
// authorization server that it has to discover. The one argument is the URL of
// the MCP server; the output is one line of JSON that says what happened.
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';

const url = new URL(process.argv[2]);
const redirectUrl = 'http://127.0.0.1:9/callback';

// Everything is kept as the SDK gives it; the user agent follows at once.
const kept = {};
const authorizations = [];
const provider = {
  redirectUrl,
  clientMetadata: {
    client_name: 'interop', redirect_uris: [redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'], token_endpoint_auth_method: 'none',
  },
  state: () => 'the-state',
  clientInformation: () => kept.client,
  saveClientInformation: (client) => { kept.client = client; },
  tokens: () => kept.tokens,
  saveTokens: (tokens) => { kept.tokens = tokens; },
  codeVerifier: () => kept.verifier,
  saveCodeVerifier: (verifier) => { kept.verifier = verifier; },
  saveDiscoveryState: (state) => { kept.discovery = state; },
  discoveryState: () => kept.discovery,
  async redirectToAuthorization(to) {
    authorizations.push({ scope: to.searchParams.get('scope'), resource: to.searchParams.get('resource') });
    const answer = await fetch(to, { redirect: 'manual' });
    kept.callback = new URL(answer.headers.get('Location')).searchParams;
  },
};

async function connected() {
  const client = new Client({ name: 'interop', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  const transport = new StreamableHTTPClientTransport(url, { authProvider: provider });
  return { client, transport, connect: () => client.connect(transport) };
}

// once runs f, and once more after the user has agreed to what it needs.
async function authorized(transport, f, again) {
  try {
    return await f();
  } catch (error) {
    if (!(error instanceof UnauthorizedError) && !kept.callback) throw error;
    if (kept.callback.get('state') !== 'the-state') throw new Error('another state came back');
    await transport.finishAuth(kept.callback);
    kept.callback = undefined;
    return await again();
  }
}

const first = await connected();
const { client, transport } = await authorized(first.transport, async () => { await first.connect(); return first; }, async () => {
  const second = await connected();
  await second.connect();
  return second;
});
const names = async () => (await client.listTools()).tools.map(({ name }) => name);
const call = async (name) => (await client.callTool({ name, arguments: {} })).content[0].text;

const before = await names();
const whoami = await call('whoami');
const paint = await authorized(transport, () => call('paint'), () => call('paint'));
const after = await names();
await client.close();
console.log(JSON.stringify({ before, whoami, paint, after, authorizations }));
