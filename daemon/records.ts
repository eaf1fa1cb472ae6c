/**
 * The records of every module: its stores, and readers of them. They need the platform alone, and readers that show what two
 * modules store the records above them. Every module gets them all.
 */
import { gatheringRecords } from './modules/gatherings/records.js';
import { identityRecords } from './modules/identity/records.js';
import { moderationRecords } from './modules/moderation/records.js';
import { peopleRecords } from './modules/people/records.js';
import { playerRecords } from './modules/players/records.js';
import { pluginRecords } from './modules/plugins/records.js';
import { projectRecords } from './modules/projects/records.js';
import { reportRecords } from './modules/reports/records.js';
import { roomRecords } from './modules/rooms/records.js';
import { ruleRecords } from './modules/rules/records.js';
import { sessionRecords } from './modules/sessions/records.js';
import { webhookRecords } from './modules/webhooks/records.js';
import type { Platform } from './platform/platform.js';

export type Records = Awaited<ReturnType<typeof recordsOf>>;

export async function recordsOf(platform: Platform) {
  const projects = projectRecords(platform);
  const plugins = pluginRecords(platform);
  const gatherings = gatheringRecords(platform);
  const rooms = await roomRecords(platform);
  const people = peopleRecords(platform);
  const sessions = sessionRecords(platform, { projects, plugins });
  const moderation = await moderationRecords(platform, { sessions });
  return {
    identity: identityRecords(platform),
    projects,
    people,
    plugins,
    sessions,
    moderation,
    reports: await reportRecords(platform, { gatherings, rooms, people, moderation }),
    rules: ruleRecords(platform),
    rooms,
    gatherings,
    webhooks: webhookRecords(platform),
    players: playerRecords(platform),
  };
}
