import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { CallContext } from '../../daemon/platform/call-context.js';

test('each call finds its own value for as long as it lasts, whichever ends first', async () => {
  const context = new CallContext<string>();
  const call = (value: string, ms: number) =>
    context.run(value, async () => {
      await sleep(ms);
      const after = context.value;
      const outside = context.outside(() => context.value);
      await Promise.resolve();
      return [after, outside, context.value];
    });
  expect(await Promise.all([call('long', 6), call('short', 1)])).toEqual([
    ['long', undefined, 'long'],
    ['short', undefined, 'short'],
  ]);
  expect(context.value).toBeUndefined();
  expect(await call('later', 1)).toEqual(['later', undefined, 'later']);
});

test('a call within a call has its own value, and the outer one goes on with the first', async () => {
  const context = new CallContext<string>();
  const seen = await context.run('outer', async () => {
    const inner = await context.run('inner', async () => context.value);
    return [inner, context.value];
  });
  expect(seen).toEqual(['inner', 'outer']);
});

test('a call that fails leaves nothing behind', async () => {
  const context = new CallContext<string>();
  await expect(context.run('failing', () => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  expect(context.value).toBeUndefined();
});

/** Runs in a process of its own, because the test runner uses async hooks itself. */
const program = `
  import { executionAsyncId } from 'node:async_hooks';
  import { CallContext } from '${new URL('../../dist/daemon/platform/call-context.js', import.meta.url).href}';
  const context = new CallContext();
  const continuations = async () => {
    const ids = new Set();
    for (let turn = 0; turn < 5; turn += 1) ids.add(await Promise.resolve().then(executionAsyncId));
    return ids.size;
  };
  const during = await context.run('one', continuations);
  console.log(JSON.stringify([during, await continuations()]));
`;

test.skipIf(Number(process.versions.node.split('.')[0]) > 22)(
  'Node.js follows promises no longer than a call lasts',
  async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
    expect(JSON.parse(stdout)).toEqual([5, 1]);
  },
);
