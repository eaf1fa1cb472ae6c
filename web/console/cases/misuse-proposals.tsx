/** People whose reports or appeals the daemon proposes to suspend, for a moderator to decide on. */
import { useQuery } from '@tanstack/react-query';
import type { Misused } from '../../../src/contract/reports/misuse.js';
import { type ListedReporter, reporterRoutes } from '../../../src/contract/reports/reporters.js';
import { useProject } from '../frame/project.js';
import { useRefresh } from '../live/use-live.js';
import { Act } from '../parts/act.js';
import { commandLine } from '../parts/copy.js';
import { Panel } from '../parts/page.js';
import { Refusal } from '../parts/refusal.js';
import { Time } from '../parts/time.js';
import { PersonLink } from '../people/person-link.js';
import { client } from '../session/session.js';
import { useWords } from '../words/words.js';

/** More are shown once these are decided. */
const shownMax = 20;

export function MisuseProposals() {
  const words = useWords().cases;
  const { params } = useProject();
  const key = ['cases', params.projectId, 'misuse'];
  const { data, error } = useQuery({
    queryKey: key,
    queryFn: () => client.call(reporterRoutes.list, { params, query: { status: 'proposed', limit: shownMax } }),
  });
  useRefresh(key, 'misuse.');
  // Most projects have none: nothing is said of them before it is known.
  if (data === undefined ? error === null : data.total === 0) return null;
  return (
    <Panel title={words.proposals}>
      <Refusal error={error} />
      <ul className="list">
        {(data?.reporters ?? []).flatMap((one) => [
          one.proposedUntil !== null && <Proposal key={`reports ${one.externalUserId}`} {...{ one, of: 'reports' }} />,
          one.appealsProposedUntil !== null && (
            <Proposal key={`appeals ${one.externalUserId}`} {...{ one, of: 'appeals' }} />
          ),
        ])}
      </ul>
    </Panel>
  );
}

function Proposal({ one: { externalUserId, ...one }, of }: { readonly one: ListedReporter; readonly of: Misused }) {
  const words = useWords().cases;
  const { params: project } = useProject();
  const params = { ...project, externalUserId };
  const { data } = useQuery({
    queryKey: ['cases', project.projectId, 'reporter', externalUserId],
    queryFn: () => client.call(reporterRoutes.get, { params }),
  });
  const [until, field, flags, share] =
    of === 'reports'
      ? ([one.proposedUntil, 'suspendedUntil', [], data?.recent] as const)
      : ([one.appealsProposedUntil, 'appealsSuspendedUntil', [['--appeals']], data?.recentAppeals] as const);
  const decide = (label: string, flag: '--confirm' | '--decline') => (
    <Act
      {...{ label, name: `${label}: ${externalUserId}` }}
      run={() => client.call(reporterRoutes.update, { params, body: { [field]: flag === '--confirm' ? until : null } })}
      line={commandLine('reports', 'reporter', externalUserId, [flag], ...flags)}
    />
  );
  return (
    <li>
      <PersonLink id={externalUserId} />
      <span>
        {words.proposal[of]} <Time at={until} />
        {share !== undefined && <span className="quiet"> ({words.recent(share.unfounded, share.decided)})</span>}
      </span>
      <span className="end buttons">
        {decide(words.suspend, '--confirm')}
        {decide(words.letOff, '--decline')}
      </span>
    </li>
  );
}
