/** The installation, for its administrators: version, daemons, settings without secrets, disk, backups. */
import type { ReactNode } from 'react';
import { type Installation, installationRoutes } from '../../../src/contract/installation/installation.js';
import { Act } from '../parts/act.js';
import { known, Pending } from '../parts/answer.js';
import { accountLine, CliLine } from '../parts/copy.js';
import { type Column, DataTable } from '../parts/data-table.js';
import { Facts } from '../parts/facts.js';
import { TextFilter } from '../parts/filters.js';
import { Panel } from '../parts/page.js';
import { PlainTable } from '../parts/plain-table.js';
import { Refusal } from '../parts/refusal.js';
import { Ago, Time } from '../parts/time.js';
import { useFilter } from '../parts/use-filter.js';
import { useRead } from '../parts/use-read.js';
import { client } from '../session/session.js';
import { useWords, type Words } from '../words/all-words.js';
import { useInstallation } from './use-installation.js';

type Setting = Installation['settings'][number];
const nameOf = ({ name }: Setting) => name;

const columnsOf = ({ administration: words }: Words): readonly Column<Setting>[] => [
  { ...{ id: 'name', label: words.setting }, cell: ({ name }) => <code>{name}</code>, sort: nameOf },
  { ...{ id: 'value', label: words.value }, cell: ({ value }) => <bdi>{value ?? words.notSet}</bdi> },
  { ...{ id: 'description', label: words.meaning, wide: true }, cell: ({ description }) => description },
];

/** `5033164` → `4.8 MiB`. */
function bytes(count: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  const at = Math.min(units.length - 1, count < 1 ? 0 : Math.floor(Math.log2(count) / 10));
  const digits = { maximumFractionDigits: at === 0 ? 0 : 1 };
  return `${(count / 1024 ** at).toLocaleString(document.documentElement.lang, digits)} ${units[at]}`;
}

export default function Daemon() {
  const words = useWords();
  const own = words.administration;
  const [search, setSearch] = useFilter('search');
  const isMade = useInstallation().data?.backups.latest?.state === 'running';
  const reading = useRead(installationRoutes.get, {}, { refetchInterval: isMade ? 1_000 : 30_000 });
  const { data, error } = reading;
  if (data === undefined) return <Pending of={reading} />;
  const { nodes, disk, settings } = data;
  const wanted = search.trim().toLowerCase();
  return (
    <>
      <Refusal error={error} />
      <div className="columns">
        <Panel title={own.daemon}>
          <Facts
            of={[
              [own.version, data.version],
              [own.runningSince, <Time key="since" at={data.startedAt} />],
              [own.uptime, <Ago key="for" at={data.startedAt} />],
              [own.database, data.database === 'sqlite' ? 'SQLite' : 'PostgreSQL'],
            ]}
          />
        </Panel>
        <Panel title={own.disk}>
          <Facts
            of={[
              [own.database, bytes(disk.databaseBytes)],
              [own.dataFolder, disk.complete ? bytes(disk.dataBytes) : own.atLeast(bytes(disk.dataBytes))],
              [own.free, bytes(disk.freeBytes)],
            ]}
          />
          <PlainTable
            head={[own.name, own.size]}
            of={known(
              disk.parts.slice(0, 8).map(({ name, bytes: size }) => [<bdi key="name">{name}</bdi>, bytes(size)]),
            )}
          />
        </Panel>
      </div>
      <div className="stack">
        {nodes.length > 1 && (
          <Panel title={own.nodes}>
            <PlainTable
              head={[own.machine, own.version, own.duties, own.since]}
              of={known(
                nodes.map(({ host, version, roles, connectedAt, answering }): readonly ReactNode[] => [
                  <bdi key="host">{answering ? `${host} (${own.thisOne})` : host}</bdi>,
                  version,
                  roles.join(', '),
                  <Time key="since" at={connectedAt} />,
                ]),
              )}
            />
          </Panel>
        )}
        <Backups of={data.backups} />
        <Panel title={own.settings} actions={<TextFilter label={own.setting} value={search} onChange={setSearch} />}>
          <p className="quiet">{own.settingsText}</p>
          <DataTable
            label={own.settings}
            of={known(
              settings.filter(({ name, description }) => `${name} ${description}`.toLowerCase().includes(wanted)),
            )}
            columns={columnsOf(words)}
            idOf={nameOf}
            empty={own.nothingMatches}
            height="420px"
          />
        </Panel>
      </div>
      <CliLine line={accountLine('installation', 'show')} />
    </>
  );
}

function Backups({ of: { available, instead, latest, nextAt, files } }: { readonly of: Installation['backups'] }) {
  const words = useWords();
  const own = words.administration;
  const isRunning = latest?.state === 'running';
  return (
    <Panel
      title={own.backups}
      actions={
        available && (
          <Act
            label={own.backUpNow}
            run={() => client.call(installationRoutes.backUp, {})}
            line={accountLine('installation', 'backup')}
            disabled={isRunning}
          />
        )
      }
    >
      {instead !== null && <p>{instead}</p>}
      <div role="status">
        {isRunning && <p>{own.backupRuns}</p>}
        {latest?.state === 'done' && <p className="good">{own.backupDone(latest.name)}</p>}
        {latest?.state === 'failed' && <p className="bad">{own.backupFailed(latest.problem ?? '')}</p>}
      </div>
      {available && (
        <>
          <PlainTable
            head={[own.name, words.created, own.size, own.verified]}
            of={known(
              files.map(({ name, createdAt, bytes: size, verified }) => [
                <code key="name">{name}</code>,
                <Time key="at" at={createdAt} />,
                bytes(size),
                <span key="verified" className={`badge ${verified ? 'good' : 'warn'}`}>
                  {verified ? own.whenMade : own.notByDaemon}
                </span>,
              ]),
            )}
            empty={own.noBackups}
          />
          <p>
            {nextAt === null ? (
              own.notScheduled
            ) : (
              <>
                {own.nextBackup} <Time at={nextAt} />
              </>
            )}
          </p>
          <p className="quiet">{own.backupsText}</p>
        </>
      )}
    </Panel>
  );
}
