/** Lists the runs of plugins on a session, and makes a new summary on request. */

import { DomainError } from '../../../../src/contract/errors.js';
import type { SessionActionsResponse } from '../../../../src/contract/plugins/session-actions.js';
import { bytesOf, WithinBytes } from '../../../platform/collections/within-bytes.js';
import type { Database } from '../../../platform/database/database.js';
import type { ProjectGrant } from '../../../platform/http/caller.js';
import { uuidv7 } from '../../../platform/ids/new-id.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { SessionDirectory } from '../../sessions/directory.js';
import type { AnnotationStore } from '../annotations/annotation-store.js';
import { summarySlug } from '../catalogue/replacing.js';
import { summaryType } from '../catalogue/summary.js';
import type { InstanceStore } from '../instances/instance-store.js';
import type { Manifests } from '../instances/service.js';
import { type ActionStore, toAction } from './action-store.js';

const actionsMax = 200;
/** Type of the runs that somebody asked for. */
const requested = 'session.summary.requested';

interface SessionActionsNeeds {
  readonly database: Database;
  readonly instances: InstanceStore;
  readonly actions: ActionStore;
  readonly annotations: AnnotationStore;
  readonly plugins: Manifests;
  readonly sessions: Pick<SessionDirectory, 'known'>;
  /** Called when a run was queued. */
  readonly onQueued: () => void;
  readonly now: Clock;
}

export class SessionActions {
  constructor(private readonly needs: SessionActionsNeeds) {}

  /** Throws session_not_found. */
  async list(projectId: string, sessionId: string): Promise<SessionActionsResponse> {
    await this.requireSession(projectId, sessionId);
    const plugins: SessionActionsResponse['plugins'] = [];
    const space = new WithinBytes();
    for (const { id: instanceId, pluginSlug: slug } of await this.needs.instances.list(projectId)) {
      const rows = await this.needs.actions.ofSession(projectId, sessionId, instanceId, actionsMax);
      const name = (await this.needs.plugins.manifest(slug))?.name ?? slug;
      const actions = rows.map(toAction);
      const end = actions.findIndex((action) => !space.reserve(bytesOf(action)));
      plugins.push({ slug, name, instanceId, actions: end < 0 ? actions : actions.slice(0, end) });
    }
    return { sessionId, plugins };
  }

  /** Throws session_not_found, summary_plugin_not_installed. */
  async regenerateSummary(
    { tenantId, projectId }: ProjectGrant,
    sessionId: string,
  ): Promise<{ sessionId: string; status: 'queued' }> {
    await this.requireSession(projectId, sessionId);
    const version = (await this.needs.plugins.manifest(summarySlug))?.version ?? '';
    const now = this.needs.now();
    await this.needs.database.transaction(async (tx) => {
      const instance = await this.needs.instances.ofPlugin(projectId, summarySlug, tx);
      if (instance?.enabled !== true) throw new DomainError('summary_plugin_not_installed');
      await this.needs.database.takeTurn(tx, `summary:${sessionId}`); // of two at once, the last stays
      await this.needs.actions.skipSuperseded(tx, instance.id, sessionId, now);
      const before = await this.needs.annotations.ofType(tx, sessionId, summarySlug, summaryType);
      await this.needs.annotations.remove(
        tx,
        before.map(({ id }) => id),
      );
      const whose = { tenantId, projectId, instanceId: instance.id, sessionId, subjectUserId: null };
      const asked = { eventId: `summary:${uuidv7()}`, eventType: requested, version };
      const queued = { status: 'queued', attempts: 0, dueAt: now, createdAt: now } as const;
      await this.needs.actions.queue(tx, [{ id: uuidv7(), ...whose, ...asked, ...queued }]);
    });
    this.needs.onQueued();
    return { sessionId, status: 'queued' };
  }

  private async requireSession(projectId: string, sessionId: string): Promise<void> {
    const known = await this.needs.sessions.known(projectId, [sessionId]);
    if (!known.has(sessionId)) throw new DomainError('session_not_found');
  }
}
