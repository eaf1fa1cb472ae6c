/** Has a plugin annotate something. A plugin that the project has not installed is installed for that long. */
import { setTimeout as sleep } from 'node:timers/promises';
import { annotationRoutes } from '../../contract/plugins/annotations.js';
import { pluginInstanceRoutes } from '../../contract/plugins/plugins.js';
import { sessionActionRoutes } from '../../contract/plugins/session-actions.js';
import { sessionRoutes } from '../../contract/sessions/sessions.js';
import type { Scratch } from './scratch.js';

const everyMs = 200;
const patienceMs = 30_000;

async function whileInstalled(scratch: Scratch, pluginId: string, work: () => Promise<string>): Promise<string> {
  const { client, inProject } = scratch;
  const installed = await client.call(pluginInstanceRoutes.list, inProject);
  if (installed.some((one) => one.pluginId === pluginId && one.enabled)) return work();
  const body = { pluginId, settings: {}, enabled: true };
  const { id } = await client.call(pluginInstanceRoutes.create, { ...inProject, body });
  try {
    return await work();
  } finally {
    await client.call(pluginInstanceRoutes.remove, scratch.at(id));
  }
}

async function until(isThere: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + patienceMs;
  while (!(await isThere()) && Date.now() < end) await sleep(everyMs);
}

async function said(scratch: Scratch, content: string): Promise<{ sessionId: string; messageId: string }> {
  const { id: sessionId } = await scratch.session();
  const { externalUserId } = await scratch.person();
  const body = { externalUserId, content };
  const { id: messageId } = await scratch.client.call(sessionRoutes.say, { ...scratch.at(sessionId), body });
  return { sessionId, messageId };
}

export const annotatedMessage = (scratch: Scratch): Promise<string> =>
  whileInstalled(scratch, 'toxicity', async () => {
    const { messageId } = await said(scratch, 'you are an idiot');
    const body = { messageIds: [messageId] };
    await until(async () => {
      const found = await scratch.client.call(annotationRoutes.ofMessages, { body });
      return (found[messageId] ?? []).length > 0;
    });
    return messageId;
  });

export const annotatedSession = (scratch: Scratch): Promise<string> =>
  whileInstalled(scratch, 'summary', async () => {
    const { sessionId } = await said(
      scratch,
      `Everybody meets at the northern gate after the match, says ${scratch.name}.`,
    );
    await scratch.client.call(sessionActionRoutes.regenerateSummary, scratch.at(sessionId));
    await until(
      async () => (await scratch.client.call(annotationRoutes.ofSession, { params: { sessionId } })).length > 0,
    );
    return sessionId;
  });
