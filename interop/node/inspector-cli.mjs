// Drives the command line of the inspector, which connects for each command.
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runCli } from './node_modules/@modelcontextprotocol/inspector/clients/cli/build/index.js';
import { command, interrupted, shown } from './command.mjs';
import { drive, names } from './driver.mjs';

process.argv[1] = fileURLToPath(import.meta.url); // or the program takes itself for the main one
const program = realpathSync(new URL('./node_modules/@modelcontextprotocol/inspector/clients/cli/build/index.js', import.meta.url));
const pairs = (args) => Object.entries(args ?? {}).map(([name, value]) => `${name}=${value}`);

drive(async ({ url, token, version }) => {
  const modern = version === '2026-07-28';
  const where = [
    '--server-url', url, '--transport', 'http', '--protocol-era', modern ? 'auto' : 'legacy', '--format', 'json', '-q',
    ...(token ? ['--header', `Authorization: Bearer ${token}`] : []),
  ];
  const run = async (...args) => shown(await command(runCli, [...where, ...args])).result;
  const { protocolVersion } = await run('--method', 'initialize');
  if (protocolVersion !== version) throw new Error(`the protocol is ${protocolVersion}`);

  return {
    async list({ name }) {
      const method = { tools: 'tools/list', prompts: 'prompts/list', resources: 'resources/list', resourceTemplates: 'resources/templates/list' }[name];
      return names((await run('--method', method))[name]); // all pages
    },
    call({ name, arguments: args, giveUp }, { signal }) {
      const call = ['--method', 'tools/call', '--tool-name', name, '--tool-args-json', JSON.stringify(args ?? {})];
      return giveUp ? interrupted(program, [...where, ...call], signal) : run(...call);
    },
    get: ({ name, arguments: args }) => run('--method', 'prompts/get', '--prompt-name', name, ...(args ? ['--prompt-args', ...pairs(args)] : [])),
    read: ({ name }) => run('--method', 'resources/read', '--uri', name),
    close: async () => {},
  };
});
