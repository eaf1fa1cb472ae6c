/** The installation itself: its daemons, settings, disk and backups. For administrators of the tenant that runs it. */
import { z } from 'zod';
import { Timestamp } from '../common.js';
import { defineRoute } from '../route.js';

/** Backups and daemons that an answer names. */
export const backupsMax = 50;
export const nodesMax = 50;

const Bytes = z.int().min(0);

const Backup = z
  .object({
    name: z.string().describe('File in the folder of backups'),
    createdAt: Timestamp,
    bytes: Bytes.describe('Size of the file'),
    verified: z
      .boolean()
      .describe(
        'true: the daemon made it, and read it through before it got this name. `earshotd verify` reads it again',
      ),
  })
  .meta({ id: 'Backup' });

export const BackupRun = z
  .object({
    state: z.enum(['running', 'done', 'failed']),
    startedAt: Timestamp,
    endedAt: Timestamp.nullable().describe('null while it runs'),
    name: z.string().describe('File in the folder of backups; it is there once the run is done'),
    problem: z.string().nullable().describe('Why it failed; null: it has not'),
  })
  .meta({ id: 'BackupRun' });
export type BackupRun = z.infer<typeof BackupRun>;

export const Installation = z
  .object({
    version: z.string(),
    startedAt: Timestamp.describe('Start of the daemon that answers'),
    uptimeSeconds: z.int().min(0).describe('Seconds since then'),
    database: z.enum(['sqlite', 'postgresql']).describe('Kind of the database'),
    nodes: z
      .array(
        z.object({
          host: z.string().describe('Name of its machine'),
          version: z.string(),
          roles: z.array(z.string()).describe('Duties, as in EARSHOT_ROLES'),
          connectedAt: Timestamp.describe('When it connected to the database'),
          answering: z.boolean().describe('true: the daemon that answers'),
        }),
      )
      .describe(`Daemons that use the database at this moment, up to ${nodesMax}`),
    settings: z
      .array(
        z.object({
          name: z.string(),
          value: z.string().nullable().describe('null: not set. Secrets are `***`, and so are passwords in addresses'),
          description: z.string(),
        }),
      )
      .describe('Settings of the daemon that answers'),
    disk: z
      .object({
        dataBytes: Bytes.describe('What the data folder holds'),
        parts: z
          .array(z.object({ name: z.string(), bytes: Bytes.describe('Size with everything in it') }))
          .describe('The largest files and folders in it, up to 20'),
        complete: z.boolean().describe('false: there are so many files that only some were added up'),
        databaseBytes: Bytes.describe('Size of the database'),
        freeBytes: Bytes.describe('Free on the disk of the data folder'),
      })
      .describe('At most a minute old'),
    backups: z
      .object({
        available: z.boolean().describe('false on PostgreSQL, whose `pg_dump` makes the backups'),
        instead: z.string().nullable().describe('What to do where the daemon makes none'),
        latest: BackupRun.nullable().describe('The run since the start of the daemon; null: none'),
        nextAt: Timestamp.nullable().describe(
          'When the next one is due by EARSHOT_BACKUP_SCHEDULE; null: backups are made only when somebody asks',
        ),
        files: z.array(Backup).describe(`Newest first, up to ${backupsMax}`),
      })
      .describe('Backups in the folder of EARSHOT_BACKUP_FOLDER, or `backups` of the data folder'),
  })
  .meta({ id: 'Installation' });
export type Installation = z.infer<typeof Installation>;

const common = {
  group: 'Watching',
  auth: ['apiKey', 'bearer'],
  tenantRole: 'admin',
  runsInstallation: true,
} as const;

export const installationRoutes = {
  get: defineRoute({
    ...common,
    operationId: 'getInstallation',
    summary: 'Show version, daemons, settings without secrets, disk and backups.',
    description: 'For administrators of the tenant that the first start has made: it runs the installation.',
    method: 'get',
    path: '/api/installation',
    scope: 'projects:read',
    success: { status: 200, body: Installation },
    errors: [],
  }),
  backUp: defineRoute({
    ...common,
    operationId: 'startBackup',
    summary: 'Start a backup of the database.',
    description:
      'It runs while the daemon goes on, one at a time, and is done when `getInstallation` says so. The file holds neither recordings nor the key ring. On PostgreSQL it is refused: use `pg_dump`.',
    method: 'post',
    path: '/api/installation/backups',
    scope: 'projects',
    success: { status: 202, body: BackupRun },
    errors: ['backup_unsupported', 'backup_running', 'backup_no_space'],
  }),
};
