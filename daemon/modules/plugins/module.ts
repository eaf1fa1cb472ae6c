/** Plugins: the catalogue, instances in projects, the host that runs them, and the annotations that they make. */
import { uuidv7 } from 'uuidv7';
import { type Module, type ModulePart, modulePart } from '../../platform/module.js';
import type { ScrapedMetric } from '../../platform/observability/metrics.js';
import type { Platform } from '../../platform/platform.js';
import type { ProjectDirectory } from '../projects/directory.js';
import type { SessionReaders } from '../sessions/module.js';
import type { EventDataRedaction } from '../webhooks/event-data-redaction.js';
import { ActionStore } from './actions/action-store.js';
import { SessionActions } from './actions/session-actions.js';
import { AnnotationStore } from './annotations/annotation-store.js';
import { type AnnotationReader, annotationReader } from './annotations/reader.js';
import { Annotations } from './annotations/service.js';
import { Catalogue } from './catalogue/catalogue.js';
import { moderationApi } from './catalogue/moderation-api.js';
import { sentiment } from './catalogue/sentiment.js';
import { summaryPlugin } from './catalogue/summary.js';
import { toxicity } from './catalogue/toxicity.js';
import { PluginErasure } from './erasure.js';
import { PluginFeeder } from './host/feeder.js';
import { RunRecorder } from './host/recorder.js';
import { PluginRunner } from './host/runner.js';
import { pluginOperations } from './installed/admin-operations.js';
import { InstalledPlugins } from './installed/installed.js';
import { InstalledStore } from './installed/installed-store.js';
import { InstanceStore } from './instances/instance-store.js';
import { PluginInstances } from './instances/service.js';
import { pluginRecords } from './person-records-store.js';
import { pluginRouter } from './routes.js';
import { timeLimits } from './sandbox/limits.js';
import { Sandbox } from './sandbox/sandbox.js';

/** Annotations for other modules to show; made before the rest of the module. */
export const annotationsBeside = ({ database }: Pick<Platform, 'database'>): AnnotationReader =>
  annotationReader(new AnnotationStore(database));

/** Every plugin, and what runs the code of those that the operator installed. */
function pluginCatalogue(
  { database, box, outbound, logger, now, processFaults }: Platform,
  { transcripts }: Pick<SessionReaders, 'transcripts'>,
) {
  const sandbox = new Sandbox(outbound, logger, timeLimits, processFaults.of('plugins'));
  const own = [toxicity(), sentiment, summaryPlugin(transcripts, outbound), moderationApi(outbound)];
  const isTaken = (slug: string): boolean => own.some(({ manifest }) => manifest.slug === slug);
  const store = new InstalledStore(database);
  const installed = new InstalledPlugins({
    database,
    store,
    box,
    sandbox,
    outbound,
    isTaken,
    now,
    unreadable: (slug, error) =>
      logger.error({ err: error, slug }, 'an installed plugin cannot be read; install it again'),
  });
  return { catalogue: new Catalogue(own, installed), installed, sandbox };
}

interface PluginNeeds {
  readonly projects: ProjectDirectory;
  readonly sessions: SessionReaders;
  readonly redaction: EventDataRedaction;
}

export interface Plugins extends Module {
  /** Slugs of plugins, for rules on their annotations. */
  readonly slugs: {
    installed(projectId: string): Promise<readonly string[]>;
    catalogue(): Promise<readonly string[]>;
  };
}

export function pluginsModule(platform: Platform, needs: PluginNeeds): Plugins {
  const { database, log, now } = platform;
  const { projects, sessions, redaction } = needs;
  const { transcripts } = sessions;
  const known = pluginCatalogue(platform, sessions);
  const stores: PluginStores = {
    instances: new InstanceStore(database),
    actions: new ActionStore(database, uuidv7()),
    annotations: new AnnotationStore(database),
  };
  const { instances, sessionActions, parts, metrics } = pluginHost(platform, sessions, stores, known);
  const reading = new Annotations(stores.annotations, {
    mayRead: async (caller, projectId) => (await projects.access.grant(caller, projectId)) !== null,
    projectOf: (sessionId) => transcripts.projectOf(sessionId),
    messages: (ids) => transcripts.messagesIn(database.read, ids),
  });
  const erasure = new PluginErasure({
    database,
    actions: stores.actions,
    annotations: stores.annotations,
    spokenIn: (...asked) => transcripts.spokenIn(...asked),
    events: redaction,
    kept: () => projects.keptTranscripts(),
    now,
  });
  platform.setAside.add({
    kind: 'plugin_runs',
    resume: 'earshot plugins resume PLUGIN',
    count: async () => [...(await stores.actions.setAsideOf()).values()].reduce((sum, count) => sum + count, 0),
  });
  return {
    name: 'plugins',
    slugs: {
      installed: async (projectId) => (await stores.instances.list(projectId)).map(({ pluginSlug }) => pluginSlug),
      catalogue: async () => (await known.catalogue.list()).map(({ slug }) => slug),
    },
    routes: pluginRouter(known.catalogue, instances, reading, sessionActions),
    parts,
    keeps: [{ kind: 'summaries', prune: (limit) => erasure.pruneSummaries(limit) }],
    metrics,
    operations: pluginOperations(known.installed, log),
    person: {
      inBatches: (...person) => database.transaction((tx) => erasure.erase(tx, ...person)),
      afterLog: (...person) => erasure.erase(...person),
    },
    personRecords: pluginRecords(database),
    personMove: { move: (...person) => erasure.move(...person) },
  };
}

type KnownPlugins = Pick<ReturnType<typeof pluginCatalogue>, 'catalogue' | 'sandbox'>;

interface PluginStores {
  readonly instances: InstanceStore;
  readonly actions: ActionStore;
  readonly annotations: AnnotationStore;
}

/** The instances of projects, and what runs them: events become runs, runs become annotations. */
function pluginHost(
  platform: Platform,
  { transcripts, directory }: SessionReaders,
  stores: PluginStores,
  known: KnownPlugins,
) {
  const { database, log, follower, box, logger, now } = platform;
  const { catalogue } = known;
  const { actions, annotations } = stores;
  const instances = new PluginInstances({
    database,
    log,
    instances: stores.instances,
    actions,
    plugins: catalogue,
    box,
    now,
  });
  const runner = runnerOf(platform, transcripts, stores, instances, known);
  const feeder = new PluginFeeder(
    database,
    log,
    { instances: stores.instances, actions, plugins: catalogue, onQueued: () => runner.wake(), now },
    logger,
  );
  instances.onChange(() => {
    feeder.changed();
    runner.wake();
  });
  const sessionActions = new SessionActions({
    database,
    instances: stores.instances,
    actions,
    annotations,
    plugins: catalogue,
    sessionKnown: async (projectId, id) => (await directory.known(projectId, [id])).has(id),
    onQueued: () => runner.wake(),
    now,
  });
  const parts: readonly ModulePart[] = [
    modulePart('plugin-runs', runner, { role: 'jobs', stage: 'serving' }),
    modulePart('plugin-queue', { start: () => feeder.start(follower), stop: () => feeder.stop() }, { role: 'jobs' }),
  ];
  const figures: readonly ScrapedMetric[] = [
    {
      name: 'plugin_instances_reading',
      help: 'Enabled plugin instances that read the log',
      read: () => feeder.size,
    },
    { name: 'plugin_runs_in_flight', help: 'Runs of plugins in progress', read: () => runner.underWay },
  ];
  return { instances, sessionActions, parts, metrics: figures };
}

/** Carries out runs and stores what they find. */
function runnerOf(
  { database, log, metrics, suspects, logger, now }: Platform,
  transcripts: SessionReaders['transcripts'],
  { instances, actions, annotations }: PluginStores,
  settings: PluginInstances,
  { catalogue, sandbox }: KnownPlugins,
): PluginRunner {
  const recorder = new RunRecorder({ database, log, actions, annotations, transcripts, now });
  const runs = metrics.histogram(
    'plugin_run_duration_seconds',
    'Runs of plugins and their time: succeeded, failed, skipped, again (will be tried again)',
    ['outcome'],
  );
  return new PluginRunner({ actions, instances, settings, plugins: catalogue, log, recorder, suspects }, logger, now, {
    alone: database.dialect === 'sqlite', // one daemon per file
    interrupt: () => sandbox.stop(),
    ran: (outcome, seconds) => runs.observe({ outcome }, seconds),
  });
}
