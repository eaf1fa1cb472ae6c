/** Code of plugins that means harm: it costs its own run, and nothing else. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PluginRun, TryAgain } from '../../daemon/modules/plugins/plugin.js';
import { timeLimits } from '../../daemon/modules/plugins/sandbox/limits.js';
import { Sandbox } from '../../daemon/modules/plugins/sandbox/sandbox.js';
import { createLogger } from '../../daemon/platform/observability/logger.js';
import { Outbound } from '../../daemon/platform/outbound/outbound.js';
import { eventually } from '../support/eventually.js';
import { type Receiver, startReceiver } from '../support/receiver.js';

let receiver: Receiver;
let folder: string;
let sandbox: Sandbox;
beforeAll(async () => {
  receiver = await startReceiver();
  folder = mkdtempSync(join(tmpdir(), 'earshot-hostile-'));
  writeFileSync(join(folder, 'earshot.db'), 'a database');
  sandbox = new Sandbox(new Outbound([]), createLogger('silent'), { ...timeLimits, computingMs: 300, hangMs: 3_000 });
});
afterAll(async () => {
  sandbox.stop();
  await receiver.stop();
  rmSync(folder, { recursive: true, force: true });
});

const run: PluginRun = {
  ...{ actionId: 'a1', instanceId: 'i1', tenantId: 't1', projectId: 'p1', sessionId: null },
  ...{ settings: { threshold: 3 }, event: null },
};
const body = (code: string) => `export default async (event, { settings }) => { ${code} }`;
const carryOut = (code: string) => sandbox.run(code, run);
const honest = body(`return { annotations: [{ type: 'note', content: { threshold: settings.threshold } }] }`);
const noted = [{ type: 'note', content: { threshold: 3 } }];

describe('the code of a plugin', () => {
  it('gets event and settings, and returns annotations or nothing', async () => {
    expect(await carryOut(honest)).toEqual(noted);
    expect(await carryOut(body(''))).toEqual([]);
  });

  const hostile: readonly (readonly [string, string, RegExp])[] = [
    ['an endless loop', body('for (;;);'), /ran for longer/],
    ['an endless loop while it is loaded', 'for (;;); export default () => null', /ran for longer/],
    ['endless promises', body('const again = () => Promise.resolve().then(again); await again();'), /ran for longer/],
    ['a loop that catches everything', body('for (;;) { try { for (;;); } catch {} }'), /ran for longer/],
    ['a promise that never settles', body('await new Promise(() => {})'), /never settles/],
    ['a module that never loads', 'await new Promise(() => {}); export default () => null', /never settles/],
    ['a memory bomb', body("let all = []; for (;;) all.push('x'.repeat(1000) + all.length)"), /out of memory|ran/],
    [
      'a memory bomb in native code',
      body('const all = []; for (;;) all.push(new Array(100000).fill(1))'),
      /memory|ran/,
    ],
    ['one huge buffer', body('new ArrayBuffer(2 ** 31)'), /memory|length/],
    ['endless recursion', body('const f = () => f() + 1; f()'), /stack/],
    ['a slow regular expression', body("'a'.repeat(60).concat('b').match(/^(a+)+$/)"), /ran for longer/],
    ['a huge result', body("return 'x'.repeat(2 ** 20)"), /longer than/],
    ['a result of another kind', body('return 42'), /not a list of annotations/],
    ['too many annotations', body("return { annotations: Array(99).fill({ type: 'a', content: {} }) }"), /not a list/],
    ['NUL in an annotation', body("return { annotations: [{ type: 'a', content: { t: '\\0' } }] }"), /NUL/],
    ['a result that turns on its reader', body('return { toJSON() { for (;;); } }'), /ran for longer/],
    ['an end of the process', body('process.exit(1)'), /process is not defined|'process'/],
    ['a fork bomb', body("require('child_process').fork(__filename)"), /not defined|'require'/],
    ['an import of Node', "import fs from 'node:fs'; export default () => null", /could not load module/],
    ['a dynamic import', body("await import('node:fs')"), /could not load module/],
    [
      'the constructor of functions',
      body("return (() => {}).constructor('return process')()"),
      /process is not defined|'process'/,
    ],
    ['a worker', body("new Worker('x')"), /not defined|'Worker'/],
    ['a thrown object', body('throw { toString() { for (;;); } }'), /.*/],
    ['no function', 'export default 42', /no default export/],
    ['nonsense', 'export default (', /SyntaxError/],
  ];

  it.each(hostile)('%s fails alone', { timeout: 60_000 }, async (_, code, error) => {
    const [failed, other] = await Promise.allSettled([carryOut(code), carryOut(honest)]);
    expect(failed).toMatchObject({ status: 'rejected', reason: { message: expect.stringMatching(error) } });
    expect(other).toEqual({ status: 'fulfilled', value: noted });
    expect(await carryOut(honest)).toEqual(noted);
  });

  it('shows NUL in its errors and in what it prints', async () => {
    await expect(carryOut(body("throw new Error('before\\0after')"))).rejects.toThrow('Error: before\ufffdafter');
    await expect(carryOut(body("throw 'before\\0after'"))).rejects.toThrow('before\ufffdafter');
    const { printed } = await sandbox.carryOut(body("console.log('before\\0after')"), run);
    expect(printed).toEqual(['before\ufffdafter']);
  });

  it('changes nothing for the next run', async () => {
    const spoilt = body(
      'globalThis.fetch = 1; JSON.stringify = () => "{}"; Object.prototype.annotations = []; Promise.prototype.then = 1;',
    );
    await carryOut(spoilt).catch(() => {});
    expect(await carryOut(honest)).toEqual(noted);
  });

  it('reaches no file, nor the network past the guard', async () => {
    const before = readdirSync(folder);
    const reads = body(`const got = await fetch('file://${folder}/earshot.db'); return { annotations: [] }`);
    await expect(carryOut(reads)).rejects.toThrow(/blocked_address/);
    await expect(carryOut(body(`await fetch('${receiver.url}')`))).rejects.toThrow(/blocked_address/);
    expect(receiver.received).toEqual([]);
    expect(readdirSync(folder)).toEqual(before);
  });

  it('sends few calls, each with an id that says which run and which call', async () => {
    const open = new Sandbox(new Outbound(['127.0.0.0/8']), createLogger('silent'));
    receiver.behave = ({ body: sent }) => ({ status: 200, body: JSON.stringify({ sent }) });
    const calls = body(
      `const headers = { Host: 'elsewhere', 'X-Own': 'yes', 'Idempotency-Key': 'mine' };
       const got = await fetch('${receiver.url}', { method: 'post', headers, body: 'hello' });
       await fetch('${receiver.url}');
       return { annotations: [{ type: 'answer', content: { status: got.status, ok: got.ok, ...(await got.json()) } }] };`,
    );
    expect(await open.run(calls, run)).toEqual([{ type: 'answer', content: { status: 200, ok: true, sent: 'hello' } }]);
    expect(receiver.received.splice(0).map(({ headers }) => [headers['idempotency-key'], headers['x-own']])).toEqual([
      ['a1-1', 'yes'],
      ['a1-2', undefined],
    ]);
    const many = body(`for (let i = 0; i < 50; i += 1) await fetch('${receiver.url}')`);
    await expect(open.run(many, run)).rejects.toThrow(/10 times/);
    expect(receiver.received).toHaveLength(10);
    open.stop();
  });

  it('is tried again later where other runs kept it from beginning', { timeout: 60_000 }, async () => {
    const busy = new Sandbox(new Outbound([]), createLogger('silent'), {
      ...{ computingMs: 300, hangMs: 20_000, runMs: 2_000 },
    });
    await eventually(() => busy.run(honest, run)); // the start of the process takes its time
    const loops = Array.from({ length: 12 }, () => busy.run(body('for (;;);'), run));
    const last = busy.run(honest, run);
    const [ending] = await Promise.allSettled([last, ...loops]);
    busy.stop();
    expect(ending).toMatchObject({ status: 'rejected', reason: expect.any(TryAgain) });
  });

  it('of one tenant lets that of another begin after a few turns', async () => {
    const busy = new Sandbox(new Outbound([]), createLogger('silent'), { ...timeLimits, computingMs: 200 });
    const ended: string[] = [];
    const begin = (tenantId: string, code: string) =>
      busy
        .run(code, { ...run, tenantId })
        .catch(() => [])
        .then(() => ended.push(tenantId));
    const loops = Array.from({ length: 8 }, () => begin('loud', body('for (;;);')));
    await begin('quiet', honest);
    expect(ended.indexOf('quiet')).toBeLessThanOrEqual(3);
    busy.stop();
    await Promise.all(loops);
  });

  it('is tried again later where an answer asks for patience, and it gave up', async () => {
    const open = new Sandbox(new Outbound(['127.0.0.0/8']), createLogger('silent'));
    const strict = body(
      `const { ok, status } = await fetch('${receiver.url}'); if (!ok) throw new Error('got ' + status);`,
    );
    for (const [status, isForNow] of [
      [503, true],
      [429, true],
      [408, true],
      [404, false],
    ] as const) {
      receiver.behave = () => ({ status });
      const error: unknown = await open.run(strict, run).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ message: `Error: got ${status}` });
      expect(error instanceof TryAgain).toBe(isForNow);
    }
    open.stop();
  });

  it('goes on in a fresh process when its process was killed by the system', async () => {
    const other = sandbox.pid ?? 0;
    process.kill(other, 'SIGKILL');
    expect(await carryOut(honest)).toEqual(noted);
    expect(sandbox.pid).not.toBe(other);
  });
});
