/**
 * Clients made from the OpenAPI document by generators that others wrote: each generates, compiles, and makes the same twelve
 * calls to a daemon. A linter reads the document too. `-u` writes the table in docs/library.md.
 */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EarshotClient } from '../../../src/client/earshot-client.js';
import { leaderboardRoutes } from '../../../src/contract/gameplay/leaderboards.js';
import { accountRoutes } from '../../../src/contract/identity/accounts.js';
import { apiKeyRoutes } from '../../../src/contract/identity/api-keys.js';
import { projectRoutes } from '../../../src/contract/projects/projects.js';
import { administrator, DaemonProcess } from '../../support/daemon-process.js';
import { folder, type Generator, generators, installed } from './generators.js';
import { tableOf } from './table.js';

const root = join(folder, '../../..');
const concurrency = 2;
const patienceMs = 15 * 60_000;

const execute = promisify(execFile);
/** Returns what was printed. Throws with it when the command fails. */
async function run(command: string, cwd: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const path = [
    join(installed, 'bin'),
    join(installed, 'python/bin'),
    join(installed, 'typescript/node_modules/.bin'),
    join(root, 'node_modules/.bin'),
  ];
  const options = {
    cwd,
    env: { ...process.env, ...env, PATH: [...path, process.env.PATH].join(':'), INSTALLED: installed },
    maxBuffer: 64 * 1024 * 1024,
  };
  return execute('sh', ['-c', command], options).then(
    ({ stdout }) => stdout,
    ({ stdout, stderr }: { stdout: string; stderr: string }) => {
      throw new Error(`${command}: ${stdout.slice(-4000)}\n${stderr.slice(-4000)}`);
    },
  );
}

/** Runs at most `concurrency` at a time: compilers use a whole core each. */
const waiting: (() => void)[] = [];
let running = 0;
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= concurrency) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }
}

const daemon = new DaemonProcess();
let environment: NodeJS.ProcessEnv;
const documents = new Map<string, string>();

async function prepare(): Promise<void> {
  await daemon.start();
  const { accessToken } = await new EarshotClient({ baseUrl: daemon.url }).call(accountRoutes.loginCredentials, {
    body: administrator,
  });
  const admin = new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token: accessToken } });
  const [project] = await admin.call(projectRoutes.list, {});
  const projectId = project?.id ?? '';
  const scopes = ['participants', 'sanctions', 'gameplay'] as const;
  const { key } = await admin.call(apiKeyRoutes.create, { body: { name: 'generators', scopes: [...scopes] } });
  const board = await admin.call(leaderboardRoutes.create, {
    params: { projectId },
    body: { name: 'Scores', eventName: 'achieve-score' },
  });
  environment = { DAEMON_URL: daemon.url, DAEMON_API_KEY: key, DAEMON_PROJECT: projectId, DAEMON_BOARD: board.id };
  for (const [file, query] of [
    ['openapi.json', ''],
    ['openapi-3.0.json', '?version=3.0'],
  ] as const)
    documents.set(file, await (await fetch(`${daemon.url}/api/openapi.json${query}`)).text());
}

/** Makes the folder in which one client is generated, compiled and run: beside the libraries of its language. */
function workFolder({ name, sources, files }: Generator): string {
  const work = join(installed, sources.split('/')[0] ?? '', 'work', name.replaceAll(/\W+/g, '-'));
  rmSync(work, { recursive: true, force: true });
  mkdirSync(join(work, 'generated'), { recursive: true });
  for (const file of files ?? ['.']) cpSync(join(folder, sources, file), join(work, file), { recursive: true });
  for (const [file, text] of documents) writeFileSync(join(work, file), text);
  return work;
}

/** What became of each generator's client. */
const results = new Map<Generator, string>();
const calls = {
  ready: 'ok',
  permanent: true,
  page: [1, 1],
  revoked: 'revoked',
  conflict: 409,
  unknown: 404,
  event: 'OK',
  score: 3_000_000_000,
  upload: 200,
  stranger: 401,
  removed: 204,
};
/** Counts the calls with the expected answer; a participant that was created is one of them. */
const rightOf = (got: Record<string, unknown>, expected: Record<string, unknown>) =>
  Object.keys(expected).filter((name) => JSON.stringify(got[name]) === JSON.stringify(expected[name])).length;

describe('the OpenAPI document that the daemon serves', () => {
  beforeAll(prepare, patienceMs);
  afterAll(() => daemon.dispose());

  it.concurrent(
    'passes the linter in both versions',
    async () => {
      const work = join(installed, 'typescript/work/redocly');
      mkdirSync(work, { recursive: true });
      cpSync(join(folder, 'typescript/redocly.yaml'), join(work, 'redocly.yaml'));
      for (const [file, text] of documents) writeFileSync(join(work, file), text);
      await inTurn(() => run('redocly lint', work));
    },
    patienceMs,
  );

  it.concurrent.each(
    generators.map((generator) => ({ generator, title: `${generator.name} for ${generator.language}` })),
  )(
    'makes a client by $title that makes the twelve calls',
    async ({ generator }) => {
      const user = `${generator.name}-${generator.language}`.replaceAll(/\W+/g, '-').toLowerCase();
      const said = await inTurn(async () => {
        const work = workFolder(generator);
        results.set(generator, 'not generated');
        await run(generator.generate, work);
        results.set(generator, 'not compiled');
        if (generator.compile !== undefined) await run(generator.compile, work);
        results.set(generator, 'not run');
        return run(generator.run, work, { ...environment, DAEMON_USER: user });
      });
      const got = JSON.parse(said.trim().split('\n').at(-1) ?? '') as Record<string, unknown>;
      const expected = { ...calls, participant: user };
      results.set(generator, `${rightOf(got, expected)} of ${Object.keys(expected).length} calls`);
      expect(got).toEqual(expected);
    },
    patienceMs,
  );

  it('stands in docs/library.md, with the version, command line and result of each generator', async () => {
    const page = readFileSync(join(root, 'docs/library.md'), 'utf8');
    const section = /(?<=<!-- generators: written by npm run test:peers -- -u -->\n)[\s\S]*?(?=<!-- end -->)/;
    expect(page).toMatch(section);
    const written = page.replace(section, `${tableOf(generators, results)}\n\n`);
    await expect(written).toMatchFileSnapshot(join(root, 'docs/library.md'));
  });
});
