import { setTimeout as sleep } from 'node:timers/promises';
import { auditFilter, auditFlags, auditPage, auditRow } from '../../src/cli/audit.js';
import { ProjectCommand } from '../../src/cli/command.js';
import { interruption } from '../../src/cli/interruption.js';
import { cell } from '../../src/cli/output.js';
import { ApiError, DaemonUnreachable } from '../../src/client/errors.js';
import type { AuditEntry } from '../../src/contract/audit/audit.js';

const everyMs = 1_000;
/** Entries of several daemons may be stored in another order than that of their times. */
const overlapMs = 30_000;
const seenMax = 5_000;
const shownFirst = 10;
const pageLimit = 200;

export default class AuditTail extends ProjectCommand {
  static override summary = 'Follow the audit log: the newest entries, and then each as it is stored.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --action "delete*" --all-projects --json',
  ];
  static override flags = auditFlags;

  async run(): Promise<void> {
    const { flags } = await this.input(AuditTail);
    const projectId = flags['all-projects'] ? null : await this.projectId();
    const { since, ...filter } = auditFilter(flags);
    const signal = interruption();
    const seen = new Set<string>();
    let from = since ?? null;
    const first = await auditPage(this.client, projectId, {
      ...filter,
      ...(since === undefined ? { limit: shownFirst } : { since, limit: pageLimit }),
    });
    for (let entries = first.entries; !signal.aborted; ) {
      for (const entry of entries.toReversed()) if (!seen.has(entry.id)) this.tell(entry);
      for (const { id } of entries) seen.add(id);
      for (const id of seen) if (seen.size > seenMax) seen.delete(id);
      const [newest] = entries;
      if (newest !== undefined) from = new Date(Date.parse(newest.at) - overlapMs).toISOString();
      await sleep(everyMs, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      entries = await this.later(projectId, { ...filter, ...(from === null ? {} : { since: from }) });
    }
  }

  /** What there is since the newest that was shown; nothing where the daemon is away for a moment. */
  private async later(projectId: string | null, filter: Parameters<typeof auditPage>[2]): Promise<AuditEntry[]> {
    try {
      return (await auditPage(this.client, projectId, { ...filter, limit: pageLimit })).entries;
    } catch (error) {
      if (error instanceof DaemonUnreachable || (error instanceof ApiError && error.isPassing)) return [];
      throw error;
    }
  }

  private tell(entry: AuditEntry): void {
    if (this.common.json === true) {
      this.log(JSON.stringify(entry));
      return;
    }
    const { who, action, target, changed, from } = auditRow(entry);
    const fields = changed === '' ? '' : ` (${changed})`;
    const time = this.screen.isTerminal ? entry.at.slice(11, 19) : entry.at;
    this.log(
      cell(`${time}  ${who}  ${action}  ${target}${fields}${from === null ? '' : `  from ${from}`}`, this.screen),
    );
  }
}
