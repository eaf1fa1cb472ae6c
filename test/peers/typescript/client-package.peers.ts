/** The package earshot-client for compilers of other years, by each way in which they resolve it, and in Cloudflare's runtime of 2024. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deliveryHeaders } from '../../../src/signing/signing.js';
import { installClient } from '../../support/client-package.js';
import { startDaemon, type TestDaemon } from '../../support/daemon.js';
import { eventually } from '../../support/eventually.js';
import { FaultProxy } from '../../support/fault-proxy.js';
import { freePort } from '../../support/free-port.js';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const packages = here('.installed/node_modules');
const folder = mkdtempSync(join(tmpdir(), 'earshot-client-peers-'));
beforeAll(() => {
  installClient(folder);
  for (const name of ['client.ts', 'client.mts', 'client.cts'])
    copyFileSync(here('../../earshotd/consumer/client.ts'), join(folder, name));
  // What the program has of Node.js, whose own types are for newer compilers.
  writeFileSync(join(folder, 'node.d.ts'), 'declare const process: { env: Record<string, string | undefined> };\n');
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = promisify(execFile);
const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--noEmit'];
const libraries = ['--target', 'es2022', '--lib', 'es2022,dom,dom.iterable'];

describe.each(['5.0', '5.9'])('a strict program, compiled by TypeScript %s', (version) => {
  it.each([
    ['node10', 'commonjs', ['client.ts']],
    ['node16', 'node16', ['client.mts', 'client.cts']],
    ['bundler', 'esnext', ['client.ts']],
  ])('finds every type by %s', async (resolution, module, files) => {
    const tsc = join(packages, `typescript-${version}/lib/tsc.js`);
    const options = ['--module', module, '--moduleResolution', resolution];
    const args = [tsc, ...strict, ...libraries, ...options, 'node.d.ts', ...files];
    const said = await run(process.execPath, args, { cwd: folder }).catch(({ stdout }: { stdout: string }) => ({
      stdout,
    }));
    expect(said.stdout).toBe('');
  });
});

describe("a worker in Cloudflare's runtime of July 2024, with the compatibility date 2024-01-01", () => {
  const secret = `whsec_${Buffer.from('a secret of thirty-two characters').toString('base64')}`;
  let daemon: TestDaemon;
  const silent = new FaultProxy(() => daemon.url);
  let url: string;
  let stop = async () => {};
  beforeAll(async () => {
    daemon = await startDaemon();
    silent.otherwise = () => ({ kind: 'silence' });
    await silent.start();
    const input = join(folder, 'worker.mjs');
    copyFileSync(here('worker.mjs'), input);
    await build({ input, platform: 'browser', output: { file: join(folder, 'bundled.js'), codeSplitting: false } });
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    const texts = Object.entries({
      ...{ EARSHOT_URL: daemon.url, EARSHOT_PROJECT: daemon.projectId, EARSHOT_API_KEY: daemon.apiKey },
      ...{ EARSHOT_WEBHOOK_SECRET: secret, SILENT_URL: silent.url },
    }).map(([name, text]) => `(name = "${name}", text = "${text}")`);
    writeFileSync(
      join(folder, 'worker.capnp'),
      `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "worker", esModule = embed "bundled.js")],
      compatibilityDate = "2024-01-01",
      bindings = [${texts.join(', ')}],
      globalOutbound = "network",
    )),
    (name = "network", network = (allow = ["local"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);\n`,
    );
    // Not by `workerd` itself, which starts it as a process of its own that outlives it.
    const workerd = join(
      packages,
      `@cloudflare/workerd-linux-${process.arch === 'x64' ? '64' : process.arch}/bin/workerd`,
    );
    const child = spawn(workerd, ['serve', join(folder, 'worker.capnp')], { stdio: 'inherit' });
    stop = async () => {
      const gone = once(child, 'exit');
      child.kill();
      await gone;
    };
    await eventually(async () => expect((await fetch(url)).status).toBe(404));
  }, 120_000);
  afterAll(async () => {
    await stop();
    await silent.stop();
    await daemon?.stop();
  });

  const ask = async (path: string) => (await fetch(`${url}/${path}`)).json();

  it('calls, follows events, and has a room say how it is', async () => {
    expect(await ask('call')).toEqual({ type: 'mute', endsWithin: 600, refusal: 'ApiError sanction_not_found' });
    expect(await ask('events')).toEqual(['sanction.created', 'shouting']);
    expect(await ask('room')).toBe('room.state');
  });

  it('believes a webhook that the secret signed, and no other', async () => {
    const texts = { id: 'id-1', type: 'sanction.created', source: 's', tenantId: 't', resourceId: 'r' };
    const body = JSON.stringify({ ...texts, timestamp: new Date(), payload: { action: 'created', data: {} } });
    const send = async (key: string) => {
      const headers = deliveryHeaders(key, 'id-1', body, new Date());
      return (await fetch(`${url}/webhook`, { method: 'POST', headers, body })).status;
    };
    expect([await send(secret), await send('another')]).toEqual([204, 400]);
  });

  it('says that no daemon answers where the network fails, and only there', async () => {
    expect(await ask('nobody')).toMatch(/^DaemonUnreachable No daemon answers at http:\/\/127\.0\.0\.1:9\./);
    expect(await ask('silence')).toMatch(/^DaemonUnreachable .* did not answer in time/);
    expect(await ask('too-early')).toMatch(/^Error .* within global scope/);
    expect(await ask('another-request')).toBe('ApiError credential_missing');
    expect(await ask('another-request')).toMatch(/^Error Cannot perform I\/O on behalf of a different request/);
  });
});
