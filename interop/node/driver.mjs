// What all drivers have in common: they read what to do from standard input, a
// line of JSON each, and write what came of it to standard output. Several
// things may be under way at once, in several sessions.
//
//   {"id":1,"session":"a","do":"connect","url":…,"token":…,"version":…}
//   {"id":2,"session":"a","do":"call","name":…,"arguments":…,"user":"accept"}
//   {"abort":2}
//   {"id":3,"session":"a","do":"close"}
//
// interop/clients/session_test.go says what there is to do, and what a reply is.
import { createInterface } from 'node:readline';

// write goes on when a client captures standard output.
const write = process.stdout.write.bind(process.stdout);

/**
 * Drive serves a client; connect returns an object with a method for each thing
 * that it can do. End is called at the end, if it is given.
 */
export function drive(connect, end = async () => {}) {
  const sessions = new Map();
  const running = new Map();
  const lines = createInterface({ input: process.stdin });
  const pending = new Set();
  lines.on('line', (line) => {
    const op = JSON.parse(line);
    if (op.abort !== undefined) {
      running.get(op.abort)?.abort();
      return;
    }
    const controller = new AbortController();
    running.set(op.id, controller);
    const done = perform(sessions, connect, op, controller.signal)
      .then((reply) => write(JSON.stringify({ id: op.id, ...reply }) + '\n'))
      .finally(() => { running.delete(op.id); pending.delete(done); });
    pending.add(done);
  });
  // What a client leaves behind must not keep the process.
  lines.on('close', () => Promise.allSettled(pending).then(end).finally(() => process.exit(0)));
  process.on('unhandledRejection', (reason) => console.error('unhandled rejection:', reason));
}

async function perform(sessions, connect, op, signal) {
  if (op.do === 'connect') {
    const user = new User();
    try {
      sessions.set(op.session, { user, client: await connect(op, user) });
      return { result: [] };
    } catch (error) {
      return { error: failure(error) };
    }
  }
  const { user, client } = sessions.get(op.session);
  const turn = user.ask(op.user);
  try {
    if (op.do === 'close') {
      await client.close();
      return { result: [] };
    }
    if (op.do === 'changes') return { result: await user.changes(op.name, op.patience) };
    const result = await client[op.do](op, { signal, progress: (p) => turn.step(p) });
    await turn.settle(op.steps ?? 0);
    return { asked: turn.asked, progress: turn.steps, result };
  } catch (error) {
    return { asked: turn.asked, progress: turn.steps, error: failure(error) };
  }
}

function failure(error) {
  const code = Number.isInteger(error?.code) ? error.code : 0;
  return { code, message: String(error?.message ?? error) };
}

const known = {
  name: 'Ada', colour: 'blue', color: 'blue', size: 3, username: 'Ada', email: 'ada@example.com',
  context: 'interop', ok: true, note: 'rent',
};

export const sampledText = 'Hello there,';
export const root = 'file:///interop';

/** User sits in front of a client. interop/clients/user_test.go has the same one in Go. */
class User {
  will = 'accept';
  turn = new Turn();
  news = [];
  waiting = [];

  ask(will) {
    this.will = will || 'accept';
    return (this.turn = new Turn());
  }

  /** Elicit answers an elicitation/create. */
  elicit(params) {
    const url = params.mode === 'url';
    this.turn.asked.push({ kind: url ? 'url' : 'form', message: params.message, url: url ? params.url : '' });
    if (this.will !== 'accept' || url) return { action: this.will };
    return { action: 'accept', content: fill(params.requestedSchema) };
  }

  sample(params) {
    const content = params.messages[0].content;
    this.turn.asked.push({ kind: 'sampling', message: (Array.isArray(content) ? content[0] : content).text, url: '' });
    return { role: 'assistant', model: 'interop', content: { type: 'text', text: sampledText } };
  }

  changed(what) {
    this.news.push(what);
    for (const wake of this.waiting.splice(0)) wake();
  }

  /** Changes waits for a change, and returns all there were. */
  async changes(what, milliseconds) {
    const deadline = Date.now() + milliseconds;
    while (!this.news.includes(what) && Date.now() < deadline) {
      await new Promise((wake) => { this.waiting.push(wake); setTimeout(wake, deadline - Date.now()); });
    }
    return this.news;
  }
}

class Turn {
  asked = [];
  steps = [];

  step({ progress, total, message }) { this.steps.push(`${progress}/${total ?? 0} ${message ?? ''}`); }

  /** Settle waits for notifications that a client hands over after the result. */
  async settle(steps) {
    for (let i = 0; i < 200 && this.steps.length > 0 && this.steps.length < steps; i++) await new Promise((r) => setTimeout(r, 10));
  }
}

/** Fill fills a form: with what he knows, or the first that there is to choose. */
export function fill(schema) {
  const content = {};
  for (const [field, property] of Object.entries(schema?.properties ?? {})) {
    content[field] = known[field] ?? property.enum?.[0] ?? property.oneOf?.[0]?.const ?? '';
  }
  return content;
}

/** Names are the items of a list as they are compared. */
export const names = (items) => items.map((item) => item.uriTemplate ?? item.uri ?? item.name);
