// Runs programs that are a function of their command line in this process: to
// start one for each command would take most of the time of all tests.

import { spawn } from 'node:child_process';

let last = Promise.resolve();

/**
 * Command runs main with args and returns what it wrote to standard output, with
 * what it threw. One at a time: the output is everybody's.
 */
export function command(main, args) {
  const result = last.then(async () => {
    const { write } = process.stdout;
    let output = '';
    process.stdout.write = (chunk, encoding, done) => {
      output += chunk;
      (typeof encoding === 'function' ? encoding : done)?.();
      return true;
    };
    let error;
    try {
      await main(['node', 'command', ...args]);
    } catch (e) {
      error = e;
    } finally {
      process.stdout.write = write;
    }
    return { output, error };
  });
  last = result.then(() => {}, () => {});
  return result;
}

/** Shown is the result of a command; a tool that fails is one, and ends with an error. */
export function shown({ output, error }) {
  if (error && error.envelope?.code !== 'tool_is_error') throw error;
  return JSON.parse(output);
}

/**
 * Interrupted runs a program, as nothing else can be interrupted, until it ends or
 * signal is aborted. It fails in both cases: who interrupts wants no result.
 */
export function interrupted(program, args, signal) {
  return new Promise((done, failed) => {
    const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'ignore'] });
    let output = '';
    child.stdout.on('data', (chunk) => { output += chunk; });
    signal.addEventListener('abort', () => child.kill('SIGINT'));
    child.once('error', failed);
    child.once('close', (code) => (signal.aborted ? failed(new Error('interrupted')) : done({ output, code })));
  });
}
