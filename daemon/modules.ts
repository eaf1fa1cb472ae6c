/** Every module of the daemon: first the records of all, then their services. A module that others need stands above them. */
import { auditModule } from './modules/audit/module.js';
import { figuresModule } from './modules/figures/module.js';
import { functionsModule } from './modules/functions/module.js';
import { gatheringsModule } from './modules/gatherings/module.js';
import { identityModule } from './modules/identity/module.js';
import { ingestModule } from './modules/ingest/module.js';
import { installationModule } from './modules/installation/module.js';
import { moderationModule } from './modules/moderation/module.js';
import { mqttModule } from './modules/mqtt/module.js';
import { peopleModule } from './modules/people/module.js';
import { playersModule } from './modules/players/module.js';
import { pluginsModule } from './modules/plugins/module.js';
import { projectRemovalModule, projectsModule } from './modules/projects/module.js';
import { reportHistory, reportsModule } from './modules/reports/module.js';
import { roomCarrier } from './modules/rooms/carrier.js';
import { roomsModule } from './modules/rooms/module.js';
import { rulesModule } from './modules/rules/module.js';
import { sessionsModule } from './modules/sessions/module.js';
import { statsModule } from './modules/stats/module.js';
import { streamsModule } from './modules/streams/module.js';
import { webhooksModule } from './modules/webhooks/module.js';
import { dataMapModule } from './platform/data-map.js';
import type { Module } from './platform/module.js';
import type { Platform } from './platform/platform.js';
import { storageModule } from './platform/storage.js';
import { playModules } from './play-modules.js';
import { recordsOf } from './records.js';

export async function modulesOf(platform: Platform) {
  const records = await recordsOf(platform);
  const carrier = await roomCarrier(platform, records);
  const projects = projectsModule(platform, records);
  const identity = await identityModule(platform, records, { projects });
  const moderation = moderationModule(platform, records, { carrier });
  const sessions = sessionsModule(platform, records, { carrier });
  const rooms = roomsModule(platform, records, { carrier, moderation, sessions });
  const gatherings = gatheringsModule(platform, records, { moderation, sessions });
  const play = playModules(platform, {
    tenants: records.projects.store,
    players: records.players,
    restrictions: records.moderation.rankedRestrictions,
    redactEvents: records.webhooks.redaction.events,
  });
  const { challenges, leaderboards, seasons, gameEvents } = play;
  platform.clockWatch.onSetBack((at) => challenges.ofPlayers.bringForward(at));
  const players = await playersModule(platform, records, { ...play, moderation });
  const functions = functionsModule(platform);
  const plugins = pluginsModule(platform, records);
  const rules = rulesModule(platform, records, { moderation, gameEvents, plugins });
  const reports = reportsModule(platform, records, { moderation, carrier, sessions });
  const stats = statsModule(platform, records, { moderation });
  const webhooks = webhooksModule(platform, records, { players });
  const ingest = ingestModule(platform, records);
  const installation = installationModule(platform);
  const figures = figuresModule(platform, records, { carrier, sessions, gameEvents, webhooks });
  const streams = streamsModule(platform, records, { identity, webhooks, sessions });
  const mqtt = mqttModule(platform, records, { identity, players });
  const audit = auditModule(platform, records);
  const storage = storageModule(platform);
  const dataMap = dataMapModule(platform);
  const holders = [
    functions,
    players, // as the intake of game events locks them: players, their challenges, boards
    challenges,
    leaderboards,
    seasons,
    gameEvents,
    gatherings,
    rooms,
    plugins,
    rules,
    stats,
    reports,
    sessions,
    moderation,
    storage,
    webhooks,
    audit,
    dataMap,
  ];
  const history = [...sessions.history, ...moderation.history, reportHistory(records.reports.reports)];
  const sources = {
    sanctions: moderation.sanctions,
    rooms: rooms.service,
    gatherings: gatherings.services.gatherings,
    words: sessions.transcripts,
    play: players.overview,
    actors: records.identity.directory,
  };
  const marks = { sanctions: records.moderation.store, rooms: rooms.service, reports: records.reports.reports };
  const people = peopleModule(platform, records, { modules: holders, history, sources, marks });
  const projectRemoval = projectRemovalModule(platform, holders);
  const all: readonly Module[] = [
    storage,
    identity,
    projects,
    projectRemoval,
    people,
    moderation,
    gatherings,
    leaderboards,
    challenges,
    players,
    seasons,
    gameEvents,
    functions,
    webhooks,
    rooms,
    sessions,
    plugins,
    rules,
    reports,
    stats,
    ingest,
    mqtt,
    figures,
    installation,
    streams,
    audit,
    dataMap,
  ];
  return {
    access: records.projects.access,
    accounts: records.identity.directory,
    identity,
    carrier,
    mqtt,
    audit,
    /** In the order in which they start. */
    all,
    /** Every operator command, recorded as it runs. */
    operations: audit.recorded(all.flatMap(({ operations }) => operations ?? [])),
  };
}
