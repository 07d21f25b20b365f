// Drives mcpdo, whose daemon keeps the connections.
import { spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { runMcp } from './node_modules/@modelcontextprotocol/inspector/clients/mcpdo/build/mcp-bin.js';
import { command, interrupted, shown } from './command.mjs';
import { drive, names } from './driver.mjs';

const program = realpathSync(new URL('./node_modules/@modelcontextprotocol/inspector/clients/mcpdo/build/mcp-bin.js', import.meta.url));
const pairs = (args) => Object.entries(args ?? {}).map(([name, value]) => `${name}=${value}`);
const run = async (...args) => shown(await command(runMcp, ['--format', 'json', ...args]));

drive(async ({ url, token, version }, user) => {
  const modern = version === '2026-07-28';
  await run('connect', url, '--transport', 'http', '--era', modern ? 'auto' : 'legacy', '--elicit', 'both',
    ...(token ? ['--header', `Authorization: Bearer ${token}`] : []));
  const on = (...args) => run('--connection', url, ...args);
  const { protocolVersion } = await on('connections/show');
  if (protocolVersion !== version) throw new Error(`the protocol is ${protocolVersion}`);

  // A call that asks ends, and goes on with the answer.
  const asking = async (...args) => {
    let result = await on(...args);
    while (result.elicitationPending) {
      const { elicitationId, ...params } = result.elicitationPending;
      const { action, content } = user.elicit(params);
      const answer = action !== 'accept' ? [`--${action}`]
        : params.mode === 'url' ? ['--done'] : [JSON.stringify(content)];
      try {
        result = await on('elicitation/respond', elicitationId, ...answer);
      } catch (error) { // or the connection takes no other command
        await on('elicitation/respond', elicitationId, '--cancel');
        throw error;
      }
    }
    return result;
  };
  const children = [];

  return {
    async list({ name }) {
      const method = { tools: 'tools/list', prompts: 'prompts/list', resources: 'resources/list', resourceTemplates: 'resources/templates/list' }[name];
      return names((await on(method))[name]); // all pages
    },
    call({ name, arguments: args, giveUp }, { signal }) {
      const call = ['tools/call', name, '--tool-args-json', JSON.stringify(args ?? {})];
      return giveUp ? interrupted(program, ['--connection', url, ...call], signal) : asking(...call);
    },
    get: ({ name, arguments: args }) => asking('prompts/get', name, ...(args ? ['--prompt-args', ...pairs(args)] : [])),
    read: ({ name }) => asking('resources/read', name),
    async complete({ name, arguments: args }) {
      const [[argument, value]] = Object.entries(args);
      const completion = await on('prompts/complete', '--complete-ref-type', 'ref/prompt', '--complete-ref', name,
        '--complete-arg-name', argument, '--complete-arg-value', value);
      return { completion }; // it leaves the member out
    },
    // The command goes on until it is interrupted, and writes what comes.
    watch: ({ name }) => new Promise((done, failed) => {
      const child = spawn(process.execPath, [program, '--format', 'json', '--connection', url, 'resources/subscribe', name], { stdio: ['ignore', 'pipe', 'inherit'] });
      children.push(child);
      child.once('exit', () => failed(new Error('resources/subscribe has ended')));
      createInterface({ input: child.stdout }).on('line', (line) => {
        if (line.includes('"subscribed"')) done([]);
        else if (line.includes(name)) user.changed(`updated ${name}`);
        console.error('watch:', line);
      });
    }),
    async close() {
      for (const child of children) child.kill('SIGINT');
      await run('disconnect', url);
    },
  };
}, () => run('daemon', 'stop'));
