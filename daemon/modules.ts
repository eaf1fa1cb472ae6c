/** Every module of the daemon with what it needs of others. A module that others need stands above them. */
import { auditModule } from './modules/audit/module.js';
import { figuresModule } from './modules/figures/module.js';
import { functionsModule } from './modules/functions/module.js';
import { gatheringsModule } from './modules/gatherings/module.js';
import { accountEmails, accountNames, identityModule } from './modules/identity/module.js';
import { ingestModule } from './modules/ingest/module.js';
import { moderationModule, roomEnforcer, roomPolicies } from './modules/moderation/module.js';
import { mqttModule } from './modules/mqtt/module.js';
import { participantDirectory, participantNotes, peopleModule } from './modules/people/module.js';
import { playersModule } from './modules/players/module.js';
import { annotationsBeside, pluginsModule } from './modules/plugins/module.js';
import { projectDirectory, projectsModule } from './modules/projects/module.js';
import { roomCarrier, roomsModule } from './modules/rooms/module.js';
import { ruleDirectory } from './modules/rules/directory.js';
import { rulesModule } from './modules/rules/module.js';
import { sessionReaders, sessionsModule } from './modules/sessions/module.js';
import { streamsModule } from './modules/streams/module.js';
import { eventDataRedaction, webhooksModule } from './modules/webhooks/module.js';
import { dataMapModule } from './platform/data-map.js';
import type { Module } from './platform/module.js';
import type { Platform } from './platform/platform.js';
import { storageModule } from './platform/storage.js';
import { playModules } from './play-modules.js';

/** Parts that other modules need before the module itself can be built. */
async function offeredBefore(platform: Platform) {
  const projects = projectDirectory(platform, accountEmails(platform));
  const participants = participantDirectory(platform);
  const annotations = annotationsBeside(platform);
  const readers = sessionReaders(platform, { projects, annotations });
  const policies = await roomPolicies(platform, readers);
  const carrier = await roomCarrier(platform, { projects, participants, policies: policies.reader });
  const enforcer = roomEnforcer(policies, carrier.effects, platform);
  const redaction = eventDataRedaction(platform);
  return { projects, participants, annotations, readers, policies, carrier, enforcer, redaction };
}

export async function modulesOf(platform: Platform) {
  const before = await offeredBefore(platform);
  const { projects, participants, annotations, readers, policies, carrier, enforcer, redaction } = before;

  const identity = await identityModule(platform, { projects });
  const moderation = moderationModule(platform, {
    policies,
    enforcer,
    participants,
    sessions: readers,
    rules: ruleDirectory(platform),
    accountNames: identity.actors.names,
  });
  const sessions = sessionsModule(platform, { projects, participants, carrier, readers, annotations, redaction });
  const rooms = roomsModule(platform, {
    carrier,
    projects,
    participants,
    policies: policies.reader,
    enforcer,
    sanctions: moderation.sanctions,
    notes: participantNotes(platform),
    sessions,
  });
  const gatherings = gatheringsModule(platform, { participants, moderation, sessions, redaction });
  const play = playModules(platform, { tenants: projects, redactEvents: redaction.events });
  const { challenges, leaderboards, seasons, gameEvents } = play;
  const players = await playersModule(platform, { ...play, projects, moderation });
  const functions = functionsModule(platform);
  const plugins = pluginsModule(platform, { projects, sessions: readers, redaction });
  const rules = rulesModule(platform, { identity, sessions: readers, moderation, gatherings, gameEvents, plugins });
  const webhooks = webhooksModule(platform, { players });
  const ingest = ingestModule(platform, { projects });
  const figures = figuresModule(platform, { projects, carrier, sessions, gameEvents, webhooks });
  const streams = streamsModule(platform, { identity, projects, webhooks, participants });
  const mqtt = mqttModule(platform, { identity, projects, players });

  const audit = auditModule(platform, { names: accountNames(platform), people: participants });
  const storage = storageModule(platform);
  const dataMap = dataMapModule(platform);
  const holders = [
    functions,
    leaderboards,
    challenges,
    players,
    seasons,
    gameEvents,
    gatherings,
    rooms,
    plugins,
    rules,
    sessions,
    moderation,
    storage,
    webhooks,
    audit,
    dataMap,
  ];
  const history = [...sessions.history, ...moderation.history];
  const sources = {
    sanctions: moderation.sanctions,
    rooms: rooms.service,
    gatherings: gatherings.services.gatherings,
    words: sessions.transcripts,
    play: players.overview,
    actors: identity.actors,
  };
  const people = peopleModule(platform, { participants, modules: holders, history, sources });
  const projectsAndUsers = projectsModule(platform, { projects, modules: holders });
  const all: readonly Module[] = [
    storage,
    identity,
    projectsAndUsers,
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
    ingest,
    mqtt,
    figures,
    streams,
    audit,
    dataMap,
  ];
  return {
    projects,
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
