/** Shows the installation to its administrators. Secrets never leave: `Secret` prints as `***`, and so do passwords in addresses. */
import { z } from 'zod';
import { type Installation, nodesMax } from '../../../src/contract/installation/installation.js';
import { shownAddress, withoutPasswords } from '../../../src/text/printable.js';
import { type SettingName, type Settings, settingsSchema } from '../../platform/config/schema.js';
import type { Database } from '../../platform/database/database.js';
import type { RunningDaemons } from '../../platform/database/running-daemons.js';
import type { Clock } from '../../platform/time/clock.js';
import { version } from '../../platform/version.js';
import type { BackupSchedule } from './backup-schedule.js';
import type { Backups } from './backups.js';
import type { DiskUse } from './disk-use.js';

interface InstallationNeeds {
  readonly backups: Backups;
  /** null: backups are made only when somebody asks. */
  readonly schedule: Pick<BackupSchedule, 'nextAt'> | null;
  readonly disk: DiskUse;
  readonly database: Pick<Database, 'dialect'>;
  readonly daemons: Pick<RunningDaemons, 'list'>;
  readonly settings: Settings;
  readonly now: Clock;
}

export class InstallationService {
  private readonly startedAt: Date;

  constructor(private readonly needs: InstallationNeeds) {
    this.startedAt = needs.now();
  }

  async show(): Promise<Installation> {
    const { backups, schedule, disk, database, daemons, settings, now } = this.needs;
    const [nodes, use, files, nextAt] = await Promise.all([
      daemons.list(nodesMax),
      disk.read(),
      backups.files(),
      schedule?.nextAt() ?? null,
    ]);
    return {
      version,
      startedAt: this.startedAt.toISOString(),
      uptimeSeconds: Math.max(0, Math.floor((now().getTime() - this.startedAt.getTime()) / 1_000)),
      database: database.dialect,
      nodes: nodes.map(({ connectedAt, roles, ...node }) => ({
        ...node,
        roles: [...roles],
        connectedAt: connectedAt.toISOString(),
      })),
      settings: shownSettings(settings),
      disk: use,
      backups: {
        ...{ available: backups.isAvailable, instead: backups.instead, latest: backups.latest, files },
        nextAt: nextAt?.toISOString() ?? null,
      },
    };
  }
}

/** Objects and lists as JSON; addresses without their passwords. */
function shownValue(value: unknown): string | null {
  if (value === undefined) return null;
  if (typeof value === 'object' && value !== null && !isPrinted(value)) return withoutPasswords(JSON.stringify(value));
  // As a whole: a password may have signs that end an address within a text.
  return shownAddress(String(value));
}
/** Such as `Secret`, which prints as `***`. */
const isPrinted = (value: object): boolean => value.toString !== Object.prototype.toString && !Array.isArray(value);

function shownSettings(settings: Settings): Installation['settings'] {
  const names = Object.keys(settingsSchema.shape) as SettingName[];
  return names.map((name) => ({
    name,
    value: shownValue(settings[name]),
    description: z.string().catch('').parse(settingsSchema.shape[name].description),
  }));
}
