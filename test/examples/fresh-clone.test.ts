/**
 * What a newcomer does first: an empty folder, a clone of what is committed, and a start on a small machine. The jobs of the
 * examples for CI run beside the same clone.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { MemoryGroup } from '../support/memory-group.js';
import { isRegistryAway } from '../support/registry.js';
import { ciJobs } from './ci-jobs.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** As README.md states them. */
const memoryMax = 1024 ** 3;
const packagesMax = 400;
const setUpMs = 30 * 60_000;

/** On the disk: files in memory, where suites write else, would count as memory of the group. */
const disk = '/var/tmp';
const folder = mkdtempSync(join(existsSync(disk) ? disk : tmpdir(), 'earshot-fresh-'));
const group = MemoryGroup.make(`earshot-fresh-${process.pid}`, memoryMax);
if (group === null) console.warn('No control group of memory can be made here: the start is played without a limit.');
const environment = {
  ...{
    PATH: process.env.PATH,
    HOME: folder,
    npm_config_cache: process.env.npm_config_cache ?? `${process.env.HOME}/.npm`,
  },
  ...{ npm_config_prefer_offline: 'true', EARSHOT_REPOSITORY: `file://${root}`, EARSHOT_SPEECH_INSTALL: '0' },
};

/** Starts a line of shell in the folder, with no more memory than the limit. */
function start(line: string, cwd = folder) {
  const [program = '', ...args] = [...(group?.enter ?? []), 'sh', '-ec', line];
  return spawn(program, args, { cwd, env: environment, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
}

async function run(line: string): Promise<void> {
  const child = start(line);
  let printed = '';
  for (const channel of [child.stdout, child.stderr])
    channel.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${line} ended with ${code}: ${printed}`);
}

const [job] = ciJobs;
const isThere = await run((job?.setUp ?? []).join('\n')).then(
  () => true,
  (error: unknown) => {
    if (!isRegistryAway(error)) throw error;
    console.warn('The npm registry is not there: the clone is not set up.');
    return false;
  },
);
afterAll(async () => {
  await group?.remove();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

describe.skipIf(!isThere)('a fresh clone', () => {
  it('is set up with few packages, and none that only developers need', () => {
    const lock = readFileSync(join(folder, 'earshot/node_modules/.package-lock.json'), 'utf8');
    const { packages } = z.object({ packages: z.record(z.string(), z.unknown()) }).parse(JSON.parse(lock));
    expect(Object.keys(packages).length).toBeLessThanOrEqual(packagesMax);
    // TypeScript is there: the converter of the OpenAPI document is built on it.
    for (const name of ['@biomejs/biome', 'knip', 'playwright-core', 'prisma', 'vitest'])
      expect(packages).not.toHaveProperty([`node_modules/${name}`]);
  });

  it('starts a daemon that answers', { timeout: setUpMs }, async () => {
    const settings = ['EARSHOT_PORT', 'EARSHOT_MQTT_PORT', 'EARSHOT_MEDIA_PORT'].map((name) => `--set ${name}=0`);
    const daemon = start(`exec npm start -- ${settings.join(' ')}`, join(folder, 'earshot'));
    const address = await new Promise<string>((resolve, reject) => {
      daemon.once('exit', (code) => reject(new Error(`npm start ended with ${code}.`)));
      createInterface({ input: daemon.stdout }).on('line', (line) => {
        const [, http] =
          /"msg":"listening".*"http":"([^"]+)"|"http":"([^"]+)".*"msg":"listening"/.exec(line)?.filter(Boolean) ?? [];
        if (http !== undefined) resolve(http);
      });
    });
    for (const path of ['/health/ready', '/console', '/rooms/demo', '/api/openapi.json'])
      expect((await fetch(address + path)).status, path).toBe(200);
    process.kill(-(daemon.pid ?? 0), 'SIGTERM');
    await once(daemon, 'exit');
  });

  it.each(ciJobs)('judges the program of a game: $name', { timeout: setUpMs }, async ({ setUp, judge }) => {
    expect(setUp).toEqual(job?.setUp);
    await run(judge);
    expect(readFileSync(join(folder, 'moderation.xml'), 'utf8')).toMatch(/tests="2" failures="0"/);
  });

  it.skipIf(group === null)('never had too little memory', () => {
    expect(group?.killed).toBe(0);
  });
});
