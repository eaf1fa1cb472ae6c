/** Every command line that the console offers is one: the CLI takes it, and what people are called stays one word of it. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import manifest from '../../oclif.manifest.json' with { type: 'json' };
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { caseRoutes } from '../../src/contract/reports/cases.js';
import { reportRoutes } from '../../src/contract/reports/reports.js';
import { chromiumPath, Visitor } from '../support/browser.js';
import { commandLine } from '../support/cli.js';
import { settle, signIn, wide } from '../support/console.js';
import { administrator, startDaemon, type TestDaemon } from '../support/daemon.js';

/** Ids that a shell or the CLI could take for something else. */
const dashed = '--all-projects';
const quoted = `-it's "$(touch x)" \`y\``;
const exits = { usage: 2, unreachable: 7 };
/** They name a file that the reader has. */
const withFile = /season\.yaml|rule\.yaml|sanctions\.(ndjson|csv)/;

/** True if all that it asks of the daemon is to read, as for the way to the next one. */
const onlyReads = (text: string): boolean => {
  const operations = [...text.matchAll(/client\.call\(\w+\.(\w+)/g)].map(([, name]) => name);
  return operations.length > 0 && operations.every((name) => name === 'list' || name === 'get');
};

/** Components that do something by themselves, but for signing in. */
function* actingComponents(): Generator<readonly [name: string, text: string]> {
  const folder = fileURLToPath(new URL('../../web/console/', import.meta.url));
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.tsx') || file.endsWith('sign-in.tsx')) continue;
    for (const text of readFileSync(join(folder, file), 'utf8').split(/^(?=(?:export )?(?:default )?function )/m))
      if (text.includes('useIntent({') && !onlyReads(text))
        yield [`${file}: ${/function (\w+)/.exec(text)?.[1]}`, text];
  }
}

/** Whose acts have their line elsewhere. */
const elsewhere: ReadonlySet<string> = new Set([
  'frame/palette-search.tsx: Search', // what is typed there reads as a command: `mute lena 10m`
  'parts/held-bars.tsx: Done', // takes back what was done where its line stands
  'sanctions/several.tsx: Several', // does for many what the page of each has a line for
]);

it('show the command of each action', () => {
  const acting = [...actingComponents()];
  expect(acting.length).toBeGreaterThan(10);
  const withoutLine = acting.filter(([, text]) => !/<(CliLine|CopyLine)\b/.test(text)).map(([name]) => name);
  expect(withoutLine.toSorted()).toEqual([...elsewhere]);
});

describe.skipIf(chromiumPath === null)('the command lines of the console', { timeout: 240_000 }, () => {
  let daemon: TestDaemon;
  let visitor: Visitor;
  const cli = commandLine();
  const seen = new Set<string>();
  const params = () => ({ projectId: daemon.projectId });
  const base = () => `${daemon.url}/console/projects/${daemon.projectId}`;
  /** Takes a line apart as the shell does. */
  const wordsOf = (line: string): string[] =>
    execFileSync('sh', ['-c', `set -- ${line.replace(/^earshot /, '')}; printf '%s\\0' "$@"`])
      .toString()
      .split('\0')
      .slice(0, -1);
  const token = () => {
    const { credential } = daemon.admin;
    return credential?.kind === 'bearer' ? credential.token : '';
  };
  const run = (line: string) => cli.run(wordsOf(line), { env: { EARSHOT_URL: daemon.url, EARSHOT_TOKEN: token() } });
  /** Lines on the page, and those behind copy buttons. */
  async function gather(path: string): Promise<string[]> {
    const { page } = visitor;
    await page.goto(`${base()}/${path}`);
    await page.locator('h1').first().waitFor();
    await expect.poll(() => page.locator('[aria-busy="true"]').count(), { timeout: 30_000 }).toBe(0);
    // Pages that wait for something to be typed offer none.
    await page
      .locator('.cli-line code')
      .first()
      .waitFor({ timeout: 3_000 })
      .catch(() => {});
    const shown = await page.locator('.cli-line code').allTextContents();
    const copied = await page
      .getByRole('button', { name: /earshot / })
      .evaluateAll((buttons) =>
        buttons.map((button) => button.getAttribute('aria-label')?.replace(/^.*?(?=earshot )/, '') ?? ''),
      );
    const lines = [...shown, ...copied];
    for (const line of lines) seen.add(line);
    return lines;
  }

  beforeAll(async () => {
    daemon = await startDaemon();
    await settle(daemon, { name: 'Eve Marsh', text: 'Leave me alone.' });
    await daemon.admin.call(projectRoutes.create, { body: { name: 'another one' } });
    for (const externalUserId of [dashed, quoted])
      await daemon.admin.call(participantRoutes.create, {
        params: params(),
        body: { externalUserId, displayName: 'Dash' },
      });
    await daemon.admin.call(sanctionRoutes.create, {
      params: params(),
      body: { type: 'warn', externalUserId: quoted },
    });
    visitor = await Visitor.come(null, wide);
    await signIn(visitor, daemon, administrator.email, '', administrator.password);
  }, 180_000);
  afterAll(async () => {
    cli.dispose();
    await visitor?.go();
    await daemon?.stop();
  });

  it('are there once the browser is asked for them, on every page', async () => {
    const { page, go } = await Visitor.come(null, wide);
    const counted = async () => [
      await page.locator('.cli-line').count(),
      await page.getByRole('button', { name: /^Copy the command/ }).count(),
    ];
    const turn = () => page.getByRole('button', { name: 'CLI', exact: true }).click();
    await page.goto(`${daemon.url}/console`);
    await page.getByLabel('E-mail').fill(administrator.email);
    expect(await counted()).toEqual([0, 0]);
    await turn();
    await page.getByText(`earshot console --url ${daemon.url}`).waitFor();
    await turn();
    await page.getByLabel('Password', { exact: true }).fill(administrator.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('navigation', { name: 'Screens' }).waitFor();
    await page.goto(`${base()}/people/${dashed}`);
    await page.getByRole('button', { name: 'Issue a sanction' }).waitFor();
    expect(await counted()).toEqual([0, 0]);
    await turn();
    await page.getByText('earshot participants history').waitFor();
    await page.getByRole('button', { name: /^Copy the command: earshot mute/ }).waitFor();
    await page.goto(`${base()}/rooms`);
    await page.getByText('earshot rooms list').waitFor();
    await go();
  });

  it('name the project where there are several, and keep ids whole', async () => {
    const [active = ''] = (await gather(`people/${encodeURIComponent(quoted)}`)).filter((line) =>
      line.startsWith('earshot sanctions active'),
    );
    expect(wordsOf(active)).toEqual(['sanctions', 'active', '--project', 'default', '--', quoted]);
    const listed = await run(`${active} --json`.replace(/ -- (.*) --json$/, ' --json -- $1'));
    expect(JSON.parse(listed.stdout)).toMatchObject([{ type: 'warn' }]);
    const history = (await gather(`people/${dashed}`)).find((line) => line.startsWith('earshot participants history'));
    expect(wordsOf(history ?? '')).toEqual(['participants', 'history', '--project', 'default', '--', dashed]);
    expect(await run(history ?? '')).toMatchObject({ code: 0 });
    const filtered = (await gather(`sanctions?person=${dashed}`)).find((line) =>
      line.startsWith('earshot sanctions list'),
    );
    expect(wordsOf(filtered ?? '')).toContain(`--user=${dashed}`);
    expect(await run(filtered ?? '')).toMatchObject({ code: 0 });
  });

  it('do the same as the buttons beside them', async () => {
    const { caseId } = await daemon.client.call(reportRoutes.create, {
      params: params(),
      body: { reporterUserId: 'u_ana', externalUserId: 'u_spam', category: 'spam' },
    });
    const lines = await gather(`cases/${caseId}`);
    const claim = lines.find((line) => line.startsWith('earshot cases claim')) ?? '';
    expect(await run(claim)).toMatchObject({ code: 0, stderr: '' });
    await expect
      .poll(() => daemon.admin.call(caseRoutes.get, { params: { ...params(), id: caseId ?? '' } }))
      .toMatchObject({ status: 'claimed' });
    const end = lines.find((line) => line.includes('insufficient_evidence')) ?? '';
    expect(await run(end)).toMatchObject({ code: 0, stderr: '' });
    await visitor.page.getByText(/no action.*too little evidence/).waitFor();
  });

  it('are all lines that the CLI takes', async () => {
    const { page } = visitor;
    const screens = ['overview', 'rooms', 'rooms/court', 'cases', 'people', 'sanctions', 'transcripts', 'gatherings'];
    for (const path of screens) await gather(path);
    for (const path of ['gameplay', 'developers', 'administration']) {
      await gather(path);
      const tabs = await page
        .locator('nav.tabs a')
        .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
      expect(tabs.length).toBeGreaterThan(1);
      for (const tab of tabs.filter((one) => !one?.endsWith('/simulation')))
        await gather((tab ?? '').replace(/^.*\/projects\/[^/]+\//, ''));
    }
    expect(seen.size).toBeGreaterThan(40);
    const refused: string[] = [];
    const commands: Readonly<Record<string, { flags?: object }>> = manifest.commands;
    for (const line of [...seen].filter((one) => one.startsWith('earshot ') && !withFile.test(one))) {
      const words = wordsOf(line);
      const name = [3, 2, 1].map((length) => words.slice(0, length).join(':')).find((id) => id in commands) ?? '';
      const asks = 'yes' in (commands[name]?.flags ?? {}) ? ['--yes'] : [];
      const at = words.indexOf('--');
      const whole = at < 0 ? [...words, ...asks] : [...words.slice(0, at), ...asks, ...words.slice(at)];
      const { code, stderr } = await cli.run(whole, { env: { EARSHOT_URL: 'http://127.0.0.1:9' } });
      // A form that is not filled in yet has a line that lacks what is required.
      const isUnfilled = /Missing required flag/.test(stderr);
      if (name === '' || (code === exits.usage && !isUnfilled)) refused.push(`${line}: ${stderr}`);
    }
    expect(refused).toEqual([]);
  });
});
