/** What each suite of the kit starts with: a daemon, a proxy before it that can fail, and the kit in a program. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { routes } from '../../../src/contract/routes.js';
import { startDaemon, type TestDaemon, type TestDaemonOptions } from '../../support/daemon.js';
import { FaultProxy } from '../../support/fault-proxy.js';
import { Compiled, Driver, mono, type Runtime } from './driver.js';

export interface Stage {
  readonly daemon: TestDaemon;
  readonly proxy: FaultProxy;
  readonly folder: string;
  /** Files of the kit. */
  readonly sources: readonly string[];
  /** Compiles a program that uses the kit, and returns its path. */
  compile(name: string, sources: readonly string[]): string;
  /** Starts another program with the kit. */
  start(on?: Runtime): Driver;
  /** Makes a token of the player. */
  tokenOf(userId: string): Promise<string>;
  /** Starts a program with a client of the player, through the proxy. The callback for tokens reads what `setToken` stored last. */
  player(userId: string, options?: object, on?: Runtime): Promise<Driver>;
  server(options?: object): Promise<Driver>;
  setToken(userId: string, token: string): void;
  stop(): Promise<void>;
}

/** @param runtime runs programs that name no other */
export async function openStage(options: TestDaemonOptions = {}, runtime: Runtime = mono): Promise<Stage> {
  const compiled = new Compiled();
  const program = compiled.compile('Driver.exe', [new URL('Driver.cs', import.meta.url).pathname]);
  const daemon = await startDaemon(options);
  const proxy = new FaultProxy(() => daemon.url);
  await proxy.start();
  const drivers: Driver[] = [];
  const { folder, sources } = compiled;
  const start = (on: Runtime = runtime) => {
    const driver = new Driver(program, on);
    drivers.push(driver);
    return driver;
  };
  const where = () => ({ url: proxy.url, project: daemon.projectId });
  const fileOf = (userId: string) => join(folder, `${userId}.token`);
  const setToken = (userId: string, token: string) => writeFileSync(fileOf(userId), token);
  const tokenOf = async (userId: string) =>
    (await daemon.client.call(routes.players.createToken, { params: { projectId: daemon.projectId, userId } })).token;
  return {
    ...{ daemon, proxy, folder, sources, start, tokenOf, setToken },
    compile: (name, of) => compiled.compile(name, of),
    async player(userId, more = {}, on = runtime) {
      const driver = start(on);
      setToken(userId, await tokenOf(userId));
      await driver.ask('player', { ...where(), tokenFile: fileOf(userId), ...more });
      return driver;
    },
    async server(more = {}) {
      const driver = start();
      await driver.ask('server', { ...where(), key: daemon.apiKey, ...more });
      return driver;
    },
    async stop() {
      await Promise.all(drivers.map((driver) => driver.kill()));
      await proxy.stop();
      await daemon.stop();
      compiled.remove();
    },
  };
}
