/** Finds what does not work in projects: bots that transcribe nothing, webhooks that fail, and what was set aside. */
import type { EarshotClient } from '../../client/earshot-client.js';
import { pageLimitMax } from '../../contract/common.js';
import { pluginInstanceRoutes } from '../../contract/plugins/plugins.js';
import { projectJobRoutes } from '../../contract/projects/jobs.js';
import { type Session, sessionRoutes } from '../../contract/sessions/sessions.js';
import { webhookEventRoutes } from '../../contract/webhooks/webhook-events.js';
import { webhookRoutes } from '../../contract/webhooks/webhooks.js';
import { shellWord } from '../../text/shell-word.js';
import { isClosed, noneWhere } from '../command/refusals.js';
import { setAsideSentence } from './jobs.js';

interface FoundTrouble {
  readonly check: 'voice' | 'webhooks' | 'plugins' | 'jobs';
  readonly ok: boolean;
  readonly says: string;
}

/** Limit of examined projects; each takes a few calls. Further ones are left to `earshot why`. */
const projectsMax = 50;

/** Causes for which nothing is broken. */
const harmlessCauses: ReadonlySet<Session['bot']['cause']> = new Set([
  ...([null, 'no_speech', 'room_empty', 'idle_timeout', 'stopped_by_user', 'room_restarted'] as const),
]);

/** One line for each, or a line that says that nothing fails. What the caller may not read is left out. */
export async function* troublesOf(
  client: EarshotClient,
  projects: readonly { readonly id: string; readonly name: string }[],
): AsyncGenerator<FoundTrouble, void> {
  for (const [check, look] of [
    ['voice', bots],
    ['webhooks', webhooks],
    ['plugins', plugins],
    ['jobs', jobs],
  ] as const) {
    const found: string[] = [];
    for (const { id, name } of projects.slice(0, projectsMax))
      for (const says of await look(client, id).catch(noneWhere(isClosed))) found.push(`${name}: ${says}`);
    if (found.length === 0 && projects.length > 0) yield { check, ok: true, says: 'nothing fails' };
    for (const says of found) yield { check, ok: false, says };
  }
}

async function bots(client: EarshotClient, projectId: string): Promise<string[]> {
  const query = { status: 'active', limit: pageLimitMax } as const;
  const sessions = await client.call(sessionRoutes.list, { params: { projectId }, query });
  return sessions
    .filter(({ bot }) => !harmlessCauses.has(bot.cause))
    .map(({ externalRoomId, bot }) => `room ${externalRoomId}, ${bot.cause}: \`earshot why ${externalRoomId}\``);
}

async function webhooks(client: EarshotClient, projectId: string): Promise<string[]> {
  const all = await client.call(webhookRoutes.list, { params: { projectId } });
  const query = { status: 'set_aside', limit: pageLimitMax } as const;
  const setAside = await client.call(webhookEventRoutes.list, { params: { projectId }, query });
  const ofAside = all.flatMap(({ id, url, description }) => {
    const count = setAside.filter(({ subscriptionId }) => subscriptionId === id).length;
    if (count === 0) return [];
    return [
      `webhook ${description ?? url} has ${count} deliveries set aside, because the daemon crashed twice during them: \`earshot why ${description === null ? id : shellWord(description)}\``,
    ];
  });
  const failing = all
    .filter(({ enabled, disabledReason, failingSince }) =>
      enabled ? failingSince !== null : disabledReason !== 'requested',
    )
    .map(({ id, url, description, enabled, failingSince }) => {
      const since = failingSince === null ? '' : ` since ${failingSince}`;
      const state = enabled ? `fails${since}` : 'was disabled because it failed';
      return `webhook ${description ?? url} ${state}: \`earshot why ${description === null ? id : shellWord(description)}\``;
    });
  return [...failing, ...ofAside];
}

async function plugins(client: EarshotClient, projectId: string): Promise<string[]> {
  const all = await client.call(pluginInstanceRoutes.list, { params: { projectId } });
  return all
    .filter(({ setAside }) => setAside > 0)
    .map(
      ({ pluginId, setAside }) =>
        `plugin ${pluginId} has ${setAside} runs set aside, because the daemon crashed twice during them: \`earshot plugins resume ${pluginId}\``,
    );
}

async function jobs(client: EarshotClient, projectId: string): Promise<string[]> {
  const all = await client.call(projectJobRoutes.list, { params: { projectId } });
  return all
    .filter(({ setAside }) => setAside)
    .map((one) => `${setAsideSentence(one)}: \`earshot jobs resume ${one.job}\``);
}
