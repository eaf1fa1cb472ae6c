/** One act, one effect: double clicks, keys that are held down, and answers that are lost. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { personRoutes } from '../../src/contract/people/person.js';
import { chromiumPath, type Visitor } from '../support/browser.js';
import { comeAs, inDialog, settle } from '../support/console.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';

it('leaves no change of the console outside the one place that takes acts', () => {
  const folder = fileURLToPath(new URL('../../web/console/', import.meta.url));
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
  expect(files.length).toBeGreaterThan(50);
  const own = files.filter((file) => readFileSync(join(folder, file), 'utf8').includes('useMutation('));
  expect(own).toEqual([join('parts', 'use-intent.ts')]);
});

describe.skipIf(chromiumPath === null)('an act in the console', { timeout: 120_000 }, () => {
  let daemon: TestDaemon;
  let admin: Visitor;
  const params = () => ({ projectId: daemon.projectId });
  const open = async (path: string) => admin.page.goto(`${daemon.url}/console/projects/${daemon.projectId}/${path}`);
  const changes = '**/api/**';
  const sanctionsOf = (externalUserId: string) =>
    daemon.admin.call(sanctionRoutes.ofUser, { params: { ...params(), externalUserId } });
  const issueFor = async (person: string) => {
    await open(`sanctions?person=${person}`);
    await admin.page.getByRole('button', { name: 'Issue a sanction', exact: true }).click();
    await admin.page.getByRole('dialog').getByLabel('Reason').fill('Shouting');
  };

  beforeAll(async () => {
    daemon = await startDaemon();
    await settle(daemon);
    [admin] = await comeAs(daemon, 'admin');
  }, 120_000);
  afterAll(async () => {
    await admin?.go();
    await daemon?.stop();
  });

  for (const latencyMs of [0, 400])
    it(`is sent once by a double click, with answers after ${latencyMs} ms`, async () => {
      const { page } = admin;
      const slow = async (route: Route) => {
        await new Promise((resolve) => setTimeout(resolve, latencyMs));
        await route.continue();
      };
      await page.route(changes, slow);
      const person = `u_double_${latencyMs}`;
      await issueFor(person);
      await inDialog(admin, 'Issue a sanction').dblclick();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await expect.poll(() => sanctionsOf(person), { timeout: 20_000 }).toHaveLength(1);
      await open('people/u_ana');
      await page.getByLabel('Note for moderators').fill(`Noted after ${latencyMs}`);
      await page.getByRole('button', { name: 'Add the note', exact: true }).dblclick();
      const notes = async () =>
        (await daemon.admin.call(personRoutes.get, { params: { ...params(), user: 'u_ana' } })).notes?.filter(
          ({ text }) => text === `Noted after ${latencyMs}`,
        );
      await expect.poll(notes, { timeout: 20_000 }).toHaveLength(1);
      await page.waitForTimeout(1_000);
      expect([await sanctionsOf(person), (await notes()) ?? []].map(({ length }) => length)).toEqual([1, 1]);
      await page.unroute(changes, slow);
    });

  it('has one effect where its answer is lost and it is sent again', async () => {
    const { page } = admin;
    const keys: (string | undefined)[] = [];
    const lose = async (route: Route) => {
      if (route.request().method() !== 'POST') return route.continue();
      keys.push(route.request().headers()['idempotency-key']);
      await route.fetch();
      await route.abort('connectionreset');
    };
    await issueFor('u_lost');
    await page.route(changes, lose);
    await inDialog(admin, 'Issue a sanction').click();
    await page
      .getByRole('dialog')
      .getByText(/may have been done/)
      .waitFor();
    expect(await page.getByRole('dialog').getByLabel('Reason').inputValue()).toBe('Shouting');
    await page.unroute(changes, lose);
    await inDialog(admin, 'Issue a sanction').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect([new Set(keys).size, (await sanctionsOf('u_lost')).length]).toEqual([1, 1]);
    // What was answered is over: the same again is meant anew.
    await issueFor('u_lost');
    await inDialog(admin, 'Issue a sanction').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await sanctionsOf('u_lost')).toHaveLength(2);
  });
});
