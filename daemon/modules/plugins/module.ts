/** Plugins: the catalogue, instances in projects, the host that runs them, and the annotations that they make. */
import { uuidv7 } from 'uuidv7';
import { removal } from '../../platform/database/removal.js';
import { type Module, modulePart } from '../../platform/module.js';
import type { Platform } from '../../platform/platform.js';
import type { ProjectDirectory } from '../projects/index.js';
import type { SessionReaders } from '../sessions/index.js';
import type { EventDataRedaction } from '../webhooks/index.js';
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
import { pluginRouter } from './routes.js';
import { Sandbox } from './sandbox/sandbox.js';

/** Annotations for other modules to show; made before the rest of the module. */
export const annotationsBeside = ({ database }: Pick<Platform, 'database'>): AnnotationReader =>
  annotationReader(new AnnotationStore(database));

/** Every plugin, and what runs the code of those that the operator installed. */
function pluginCatalogue(
  { database, box, outbound, logger, now }: Platform,
  { transcripts }: Pick<SessionReaders, 'transcripts'>,
) {
  const sandbox = new Sandbox(outbound, logger);
  const own = [toxicity(), sentiment, summaryPlugin(transcripts, outbound), moderationApi(outbound)];
  const isTaken = (slug: string): boolean => own.some(({ manifest }) => manifest.slug === slug);
  const store = new InstalledStore(database);
  const installed = new InstalledPlugins(database, store, box, sandbox, outbound, isTaken, now, (slug, error) =>
    logger.error({ err: error, slug }, 'an installed plugin cannot be read; install it again'),
  );
  return { catalogue: new Catalogue(own, installed), installed, sandbox };
}

interface PluginNeeds {
  readonly projects: ProjectDirectory;
  readonly sessions: SessionReaders;
  readonly redaction: EventDataRedaction;
}

export function pluginsModule(platform: Platform, { projects, sessions, redaction }: PluginNeeds): Module {
  const { database, log, follower, box, metrics, settings, logger, now } = platform;
  const { transcripts, directory } = sessions;
  const { catalogue, installed, sandbox } = pluginCatalogue(platform, sessions);
  const instanceStore = new InstanceStore(database);
  const actions = new ActionStore(database, uuidv7());
  const annotations = new AnnotationStore(database);
  const instances = new PluginInstances(database, log, instanceStore, actions, catalogue, box, now);
  const recorder = new RunRecorder(database, log, actions, annotations, transcripts, now);
  const runs = metrics.histogram(
    'plugin_run_duration_seconds',
    'Runs of plugins and their time: succeeded, failed, skipped, again (will be tried again)',
    ['outcome'],
  );
  const runner = new PluginRunner(
    { actions, instances: instanceStore, settings: instances, plugins: catalogue, log, recorder },
    logger,
    now,
    {
      alone: database.dialect === 'sqlite', // one daemon per file
      interrupt: () => sandbox.stop(),
      ran: (outcome, seconds) => runs.observe({ outcome }, seconds),
    },
  );
  const feeder = new PluginFeeder(database, log, instanceStore, actions, catalogue, () => runner.wake(), logger, now);
  instances.onChange(() => feeder.changed());
  const sessionActions = new SessionActions(
    database,
    instanceStore,
    actions,
    annotations,
    catalogue,
    async (projectId, id) => (await directory.known(projectId, [id])).has(id),
    () => runner.wake(),
    now,
  );
  const reading = new Annotations(annotations, {
    mayRead: async (caller, projectId) => (await projects.access.grant(caller, projectId)) !== null,
    projectOf: (sessionId) => transcripts.projectOf(sessionId),
  });
  const erasure = new PluginErasure(
    database,
    actions,
    annotations,
    {
      spokenIn: (...asked) => transcripts.spokenIn(...asked),
      events: redaction,
      kept: () => projects.keptTranscripts(),
    },
    settings.EARSHOT_DELIVERY_RETENTION_DAYS,
    now,
  );
  const jobs = { role: 'jobs' } as const;
  return {
    name: 'plugins',
    routes: pluginRouter(catalogue, instances, reading, sessionActions),
    parts: [
      modulePart('plugin-runs', runner, { ...jobs, stage: 'serving' }),
      modulePart('plugin-queue', { start: () => feeder.start(follower), stop: () => feeder.stop() }, jobs),
    ],
    keeps: [
      { kind: 'summaries', prune: (limit) => erasure.pruneSummaries(limit) },
      { kind: 'plugin runs', prune: (limit) => erasure.pruneRuns(limit) },
    ],
    metrics: [
      {
        name: 'plugin_instances_reading',
        help: 'Enabled plugin instances that read the log',
        read: () => feeder.size,
      },
      { name: 'plugin_runs_in_flight', help: 'Runs of plugins in progress', read: () => runner.underWay },
    ],
    operations: pluginOperations(installed, log),
    person: {
      ahead: (...person) => database.transaction((tx) => erasure.erase(tx, ...person)),
      silently: (...person) => erasure.erase(...person),
    },
    personMove: { move: (...person) => erasure.move(...person) },
    project: {
      removeSome: removal(database, actions.removeSome, annotations.removeSome, instanceStore.removeSome),
    },
  };
}
