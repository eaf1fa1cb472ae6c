import { setTimeout as sleep } from 'node:timers/promises';
import { auditFilter, auditFlags, auditPage, auditRow } from '../../src/cli/audit/audit.js';
import { ProjectCommand } from '../../src/cli/command/command.js';
import { stated } from '../../src/cli/typed/fields.js';
import { ApiError, DaemonUnreachable } from '../../src/client/errors.js';
import type { AuditEntry, AuditFilter, AuditPage } from '../../src/contract/audit/audit.js';
import { interruption } from '../../src/terminal/interruption.js';
import { cell } from '../../src/terminal/output.js';
import { clockTime } from '../../src/terminal/shown-times.js';

const everyMs = 1_000;
/** Entries of several daemons may be stored in another order than that of their times. */
const overlapMs = 30_000;
const seenMax = 5_000;
const shownFirst = 10;
const pageLimit = 200;

/** The daemon may be away for a moment. */
function nothingWhileAway(error: unknown): [] {
  if (error instanceof DaemonUnreachable || (error instanceof ApiError && error.isPassing)) return [];
  throw error;
}

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
    let entries =
      since === undefined
        ? (await auditPage(this.client, projectId, { ...filter, limit: shownFirst })).entries
        : await this.unseen(projectId, { ...filter, since }, seen);
    while (!signal.aborted) {
      for (const entry of entries.toReversed()) this.printEntry(entry);
      for (const { id } of entries.toReversed()) seen.add(id);
      for (const id of seen) if (seen.size > seenMax) seen.delete(id);
      const [newest] = entries;
      if (newest !== undefined) from = new Date(Date.parse(newest.at) - overlapMs).toISOString();
      await sleep(everyMs, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      entries = await this.unseen(projectId, { ...filter, ...(from === null ? {} : { since: from }) }, seen).catch(
        nothingWhileAway,
      );
    }
  }

  /** Returns the entries that were not shown yet, newest first. */
  private async unseen(
    projectId: string | null,
    filter: AuditFilter,
    seen: ReadonlySet<string>,
  ): Promise<AuditEntry[]> {
    const unseen: AuditEntry[] = [];
    for (let after: string | null | undefined; after !== null; ) {
      const query = { ...filter, ...stated({ after }), limit: pageLimit };
      const page: AuditPage = await auditPage(this.client, projectId, query);
      unseen.push(...page.entries.filter(({ id }) => !seen.has(id)));
      after = page.next;
    }
    return unseen;
  }

  private printEntry(entry: AuditEntry): void {
    if (this.common.json === true) {
      this.log(JSON.stringify(entry));
      return;
    }
    const { who, action, target, changed, from } = auditRow(entry, this.screen);
    const fields = changed === '' ? '' : ` (${changed})`;
    const time = this.screen.isTerminal ? clockTime(new Date(entry.at)) : entry.at;
    this.log(
      cell(`${time}  ${who}  ${action}  ${target}${fields}${from === null ? '' : `  from ${from}`}`, this.screen),
    );
  }
}
