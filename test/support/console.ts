/** A project with something to see in the console, and people of every role who sign in there. */

import type { Locator, Page } from 'playwright-core';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { reviewRoutes } from '../../src/contract/moderation/reviews.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { projectUserRoutes } from '../../src/contract/projects/projects.js';
import { settingsRoutes } from '../../src/contract/projects/settings.js';
import { tokenRoutes } from '../../src/contract/rooms/tokens.js';
import type { ProjectRole } from '../../src/contract/route.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { Visitor } from './browser.js';
import type { TestDaemon } from './daemon.js';

/** Pages have fewer elements that can have the focus. */
const tabsMax = 100;
export const colleaguePassword = 'a long enough password';

/** Markup that would run if a page put it in as such, and characters that turn the line around. */
export const hostile = '<img src=x onerror="window.hacked=1">\u202e"\'><script>window.hacked=1</script>';

/** Invites a colleague with the role, who accepts; returns the e-mail address. */
export async function colleague(daemon: TestDaemon, role: ProjectRole, name: string = role): Promise<string> {
  const email = `${name}@example.com`;
  const { projectId } = daemon;
  const { invitationUrl } = await daemon.admin.call(projectUserRoutes.invite, {
    params: { projectId },
    body: { email, role },
  });
  const token = new URL(invitationUrl ?? '').hash.replace('#token=', '');
  const body = { token, password: colleaguePassword, displayName: role };
  await new EarshotClient({ baseUrl: daemon.url }).call(accountRoutes.acceptInvitation, { body });
  return email;
}

/** Invites a colleague of that name with the role, who accepts; returns their client. */
export async function signedInColleague(daemon: TestDaemon, role: ProjectRole, name: string): Promise<EarshotClient> {
  const body = { email: await colleague(daemon, role, name), password: colleaguePassword };
  const { accessToken: token } = await new EarshotClient({ baseUrl: daemon.url }).call(accountRoutes.loginCredentials, {
    body,
  });
  return new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token } });
}

/**
 * Makes people, sanctions, a session with a few lines, and two cases.
 *
 * @param said name and texts of one of the people
 */
export async function settle(daemon: TestDaemon, said = { name: hostile, text: hostile }) {
  const params = { projectId: daemon.projectId };
  const { admin } = daemon;
  await admin.call(settingsRoutes.put, { params, body: { tokenProvider: 'embedded' } });
  const names: Readonly<Record<string, string>> = { u_ana: 'Ana Reyes', u_ben: 'Ben Stone', u_eve: said.name };
  for (const [externalUserId, displayName] of Object.entries(names))
    await admin.call(participantRoutes.create, { params, body: { externalUserId, displayName } });
  const session = await admin.call(sessionRoutes.create, {
    params,
    body: { title: 'Evening match', externalRoomId: 'court', autoStart: false },
  });
  const say = (externalUserId: string, content: string) =>
    admin.call(sessionRoutes.say, {
      params: { ...params, id: session.id },
      body: { externalUserId, content, judged: true },
    });
  await say('u_ana', 'Anyone for a second round?');
  const insult = await say('u_ben', 'You play like an idiot.');
  await say('u_eve', said.text);
  const sanction = (body: Parameters<typeof admin.call<typeof sanctionRoutes.create>>[1]['body']) =>
    admin.call(sanctionRoutes.create, { params, body });
  // By a key: whoever imposes a sanction does not decide the appeal.
  const mute = await daemon.client.call(sanctionRoutes.create, {
    params,
    body: { type: 'mute', externalUserId: 'u_ben', duration: 3_600, reason: 'Insults' },
  });
  await sanction({ type: 'warn', externalUserId: 'u_eve', reason: said.text, note: said.text });
  await sanction({
    type: 'human_review',
    externalUserId: 'u_ben',
    reason: 'Please look',
    evidence: { messageIds: [insult.id] },
  });
  const appeal = await admin.call(reviewRoutes.appeal, {
    params: { ...params, id: mute.id },
    body: { statement: said.text },
  });
  return { session, mute, appeal, say };
}

/** Stands where the browser keeps how it shows the console; a suite of the commands sees them so. */
const withCommands = `localStorage.getItem('earshot-console-preferences') ??
  localStorage.setItem('earshot-console-preferences', '{"showsCommands":true}')`;

/** The console of the page shows the commands, from its next load on. */
export const showCommands = ({ page }: Visitor) => page.addInitScript(`try { ${withCommands}; } catch {}`);

/** Opens the console, with the commands shown, and signs in by the form. */
export async function signIn(
  visitor: Visitor,
  daemon: Pick<TestDaemon, 'url'>,
  email: string,
  path = '',
  password = colleaguePassword,
): Promise<void> {
  const { page } = visitor;
  await showCommands(visitor);
  await page.goto(`${daemon.url}/console${path}`);
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('navigation', { name: 'Screens' }).waitFor();
}

/** A window as wide as the pictures of the documentation. */
export const wide = { viewport: { width: 1280, height: 760 } };

/** Returns a visitor for each role, signed in to the console. */
export async function comeAs<const Roles extends readonly ProjectRole[]>(
  daemon: TestDaemon,
  ...roles: Roles
): Promise<{ -readonly [Index in keyof Roles]: Visitor }> {
  const visitors = await Promise.all(roles.map(() => Visitor.come(null, wide)));
  for (const [index, visitor] of visitors.entries())
    await signIn(visitor, daemon, await colleague(daemon, roles[index] ?? 'viewer'));
  return visitors as { -readonly [Index in keyof Roles]: Visitor };
}

/** Presses Tab until the element has the focus. */
export async function tabTo(page: Page, element: Locator): Promise<void> {
  await element.waitFor();
  for (let pressed = 0; pressed < tabsMax; pressed += 1) {
    if (await element.evaluate((it) => it.matches(':focus'))) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`The keyboard does not reach ${element}.`);
}

export const button = ({ page }: Visitor, name: string) => page.getByRole('button', { name, exact: true });
export const inDialog = ({ page }: Visitor, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true });

/** A room's page with the person in it, who says nothing. */
export async function enterRoom(
  { page }: Visitor,
  daemon: TestDaemon,
  userId: string,
  displayName: string,
): Promise<void> {
  const { url, token } = await daemon.client.call(tokenRoutes.generateForProject, {
    params: { projectId: daemon.projectId },
    body: { roomId: 'court', userId, displayName },
  });
  await page.goto(`${url}#token=${token}`);
  await page.getByRole('button', { name: 'Join and talk' }).click();
  await page.getByText('You are in the room.').waitFor();
}
