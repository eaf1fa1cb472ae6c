import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { administrator, startDaemon, type TestDaemon } from '../support/daemon.js';
import { rowsBeside, writeBeside } from '../support/write-beside.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

const login = (password: string) =>
  new EarshotClient({ baseUrl: daemon.url }).call(accountRoutes.loginCredentials, {
    body: { email: administrator.email, password },
  });

/** Made by the npm package `argon2` 0.45.1, which wrote the hashes of earlier installations. */
const earlier = {
  password: 'correct horse battery staple',
  hash: '$argon2id$v=19$m=19456,p=1,t=2$Ld7l6ptYseXXtDstj3Kpkw$DSEZ8AmEWrMbik7FgoijNyB/BW3TaZgUQ5zLib8j+K0',
};

describe('a stored password', () => {
  it('is an argon2id hash with 19 MiB, two passes and one lane', async () => {
    const [stored] = await rowsBeside(daemon.databaseUrl, 'SELECT "passwordHash" FROM "User"');
    expect(stored?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  });

  it('still opens its account when an earlier installation wrote it', async () => {
    await writeBeside(daemon.databaseUrl, 'UPDATE "User" SET "passwordHash" = ?', earlier.hash);
    expect((await login(earlier.password)).user.email).toBe(administrator.email);
    await expect(login('correct horse battery staples')).rejects.toMatchObject({ status: 401, code: 'login_failed' });
  });
});

describe('installing the package', () => {
  const Locked = z
    .object({
      hasInstallScript: z.boolean(),
      dev: z.boolean(),
      devOptional: z.boolean(),
      optionalDependencies: z.record(z.string(), z.string()),
    })
    .partial();
  const lockFile = fileURLToPath(new URL('../../package-lock.json', import.meta.url));
  const { packages } = z
    .object({ packages: z.record(z.string(), Locked) })
    .parse(JSON.parse(readFileSync(lockFile, 'utf8')));

  it('compiles nothing but better-sqlite3, where that has no ready binary', () => {
    const compiling = Object.entries(packages).filter(
      ([, { hasInstallScript, dev, devOptional }]) => hasInstallScript && !dev && !devOptional,
    );
    expect(compiling.map(([path]) => path)).toEqual(['node_modules/better-sqlite3']);
  });

  it('finds the ready binaries of every platform in the lock file, without which `npm ci` refuses it', () => {
    const named = Object.values(packages).flatMap(({ optionalDependencies = {} }) => Object.keys(optionalDependencies));
    const locked = new Set(Object.keys(packages).map((path) => path.replace(/^.*node_modules\//, '')));
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((name) => !locked.has(name))).toEqual([]);
  });
});
