/** Plugins: the catalogue, instances in projects, the host that runs them, and the annotations that they make. */

import { type Module, type ModulePart, modulePart } from '../../platform/module.js';
import type { ScrapedMetric } from '../../platform/observability/metrics.js';
import type { Platform } from '../../platform/platform.js';
import { DueWork } from '../../platform/scheduler/due-work.js';
import type { Records } from '../../records.js';
import { SessionActions } from './actions/session-actions.js';
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
import { PluginInstances } from './instances/service.js';
import { pluginPersonRecords } from './person-records-store.js';
import { pluginRouter } from './routes.js';
import { timeLimits } from './sandbox/limits.js';
import { Sandbox } from './sandbox/sandbox.js';
import { PluginSlugs } from './slugs.js';

/** Every plugin, and what runs the code of those that the operator installed. */
function pluginCatalogue(
  { database, box, outbound, logger, now, processFaults }: Platform,
  { plugins, sessions: { transcripts } }: Records,
) {
  const sandbox = new Sandbox(outbound, logger, timeLimits, processFaults.reporterFor('plugins'));
  const own = [toxicity(), sentiment, summaryPlugin(transcripts, outbound), moderationApi(outbound)];
  const isTaken = (slug: string): boolean => own.some(({ manifest }) => manifest.slug === slug);
  const installed = new InstalledPlugins({
    database,
    store: plugins.installed,
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

export interface Plugins extends Module {
  readonly slugs: PluginSlugs;
}

export function pluginsModule(platform: Platform, records: Records): Plugins {
  const { database, log, now } = platform;
  const { plugins: stores, projects, sessions, webhooks } = records;
  const { transcripts } = sessions;
  const known = pluginCatalogue(platform, records);
  const { instances, sessionActions, parts, metrics } = pluginHost(platform, records, known);
  const reading = new Annotations(stores.annotations, { access: projects.access, transcripts, database });
  const erasure = new PluginErasure({
    database,
    actions: stores.actions,
    annotations: stores.annotations,
    transcripts,
    events: webhooks.redaction,
    settings: projects.settingsStore,
    now,
  });
  platform.clockWatch.onSetBack((at) => stores.actions.bringForward(at));
  platform.leases.add(stores.actions.leases);
  platform.setAside.add({
    kind: 'plugin_runs',
    resume: 'earshot plugins resume PLUGIN',
    count: async () => [...(await stores.actions.setAsideOf()).values()].reduce((sum, count) => sum + count, 0),
  });
  return {
    name: 'plugins',
    slugs: new PluginSlugs(stores.instances, known.catalogue),
    routes: pluginRouter(known.catalogue, instances, reading, sessionActions),
    parts,
    keeps: [{ kind: 'summaries', prune: (limit) => erasure.pruneSummaries(limit) }],
    metrics,
    operations: pluginOperations(known.installed, log),
    person: erasure,
    personRecords: pluginPersonRecords(database),
    personMove: erasure,
  };
}

type KnownPlugins = Pick<ReturnType<typeof pluginCatalogue>, 'catalogue' | 'sandbox'>;

/** The instances of projects, and what runs them: events become runs, runs become annotations. */
function pluginHost(platform: Platform, records: Records, known: KnownPlugins) {
  const { database, log, follower, box, jobs, logger, now } = platform;
  const { catalogue } = known;
  const { plugins: stores, sessions } = records;
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
  const runner = runnerOf(platform, records, instances, known);
  const feeder = new PluginFeeder(
    database,
    log,
    { instances: stores.instances, actions, plugins: catalogue, onQueued: () => runner.wake(), now },
    jobs,
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
    sessions: sessions.directory,
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
  { plugins: { instances, actions, annotations }, sessions: { transcripts } }: Records,
  settings: PluginInstances,
  { catalogue, sandbox }: KnownPlugins,
): PluginRunner {
  const recorder = new RunRecorder({ database, log, actions, annotations, transcripts, now });
  const runs = metrics.histogram(
    'plugin_run_duration_seconds',
    'Runs of plugins and their time: succeeded, failed, skipped, again (will be retried)',
    ['outcome'],
  );
  const due = new DueWork(database, now, actions.nextDue);
  const needs = { actions, instances, settings, plugins: catalogue, log, recorder, suspects, due };
  return new PluginRunner(needs, logger, now, {
    alone: database.dialect === 'sqlite', // one daemon per file
    interrupt: () => sandbox.stop(),
    ran: (outcome, seconds) => runs.observe({ outcome }, seconds),
  });
}
