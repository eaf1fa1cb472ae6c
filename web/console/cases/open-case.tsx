/** A case with everything needed to decide it. */
import { Button, Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../../src/client/errors.js';
import { type CaseDetail, caseRoutes } from '../../../src/contract/reports/cases.js';
import { usePreferences } from '../frame/preferences.js';
import { useProject } from '../frame/project.js';
import { useRefresh } from '../live/use-live.js';
import { Act } from '../parts/act.js';
import { List, readingOf } from '../parts/answer.js';
import { commandLine, Id } from '../parts/copy.js';
import { decidedIds, takeBackAbout } from '../parts/held.js';
import { useKeys } from '../parts/keys.js';
import { Page, Panel } from '../parts/page.js';
import { Refusal } from '../parts/refusal.js';
import { Time } from '../parts/time.js';
import { useIntent } from '../parts/use-intent.js';
import { PersonLink } from '../people/person-link.js';
import { SanctionBadge } from '../sanctions/sanction-badge.js';
import { client } from '../session/session.js';
import { useWords } from '../words/words.js';
import { CaseActs, SevereActs } from './case-acts.js';
import { CaseComplaints } from './case-complaints.js';
import { type AskedDecision, CaseDialogs } from './case-dialogs.js';
import { CaseFacts, ReviewPanels, SharedPanel } from './case-facts.js';
import { CaseReports } from './case-reports.js';
import { type CaseWork, useCaseWork } from './case-work.js';
import { OpenReview } from './open-review.js';
import { PersonLately } from './person-lately.js';
import { kindWord, usePriors } from './queries.js';
import { Urgency } from './urgency.js';

const priorsMax = 20;

/** The case with this id; else the review, which links of reviews lead to. */
export function OpenCase({ id }: { readonly id: string }) {
  const { params, may } = useProject();
  const key = ['cases', params.projectId];
  const isModerator = may('moderator');
  const { data: found, error } = useQuery({
    queryKey: [...key, 'one', id],
    queryFn: () =>
      client.call(caseRoutes.get, { params: { ...params, id } }).catch((refused: unknown) => {
        if (refused instanceof ApiError && refused.status === 404) return null;
        throw refused;
      }),
    enabled: isModerator,
  });
  useRefresh(key, 'case.', 'report.', 'review.', 'sanction.');
  if (!isModerator || found === null) return <OpenReview id={id} />;
  return found === undefined ? <Refusal error={error} /> : <CasePage found={found} />;
}

const toggled = (chosen: ReadonlySet<string>, id: string): ReadonlySet<string> =>
  new Set(chosen.has(id) ? [...chosen].filter((one) => one !== id) : [...chosen, id]);

function CasePage({ found }: { readonly found: CaseDetail }) {
  const words = useWords();
  const { cases: texts } = words;
  const next = useNextCase(found.id);
  const [{ advances }, setPreferences] = usePreferences();
  const work = useCaseWork(found, {
    hasKeys: true,
    onLeave: () => {
      if (advances) next.start();
    },
  });
  const { mayDecide } = work.rights;
  const [asking, setAsking] = useState<AskedDecision | null>(null);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const ask = (what: AskedDecision) => {
    takeBackAbout(found.id);
    setAsking(what);
  };
  const maySanction = mayDecide && found.externalUserId !== null;
  useKeys({
    n: () => next.start(),
    ...(mayDecide ? { e: () => ask('escalate'), m: () => ask('merge') } : {}),
    ...(maySanction ? { s: () => ask('sanction') } : {}),
  });
  const choose =
    mayDecide && found.reports + found.reviews > 1 ? (one: string) => setChosen(toggled(chosen, one)) : undefined;
  return (
    <Page
      title={
        <>
          {found.externalUserId === null ? <bdi>{found.roomId}</bdi> : <PersonLink id={found.externalUserId} />}{' '}
          <span className="badge accent">{kindWord(words, found.category)}</span>{' '}
          {found.status !== 'decided' && <Urgency of={found} />} <Id id={found.id} />
        </>
      }
      actions={
        <>
          {mayDecide && (
            <Checkbox
              size="xs"
              label={texts.advance}
              checked={advances}
              onChange={(event) => setPreferences({ advances: event.currentTarget.checked })}
            />
          )}
          <Keyed label={texts.next} shortcut="n" onClick={() => next.start()} />
        </>
      }
    >
      <Refusal error={next.error} />
      <div className="columns">
        <div className="stack">
          <CaseFacts work={work} />
          <SharedPanel found={found} />
          <CaseComplaints reports={found.complaintList} />
          <ReviewPanels found={found} chosen={chosen} onChoose={choose} />
          {chosen.size > 0 && mayDecide && <Split work={work} chosen={chosen} onDone={() => setChosen(new Set())} />}
          {found.externalUserId !== null && <PersonLately user={found.externalUserId} />}
          {found.externalUserId !== null && <Priors person={found.externalUserId} />}
        </div>
        <CaseReports reports={found.reportList} chosen={chosen} onChoose={choose} />
      </div>
      <section className="decide-bar" aria-label={texts.decide}>
        <CaseActs work={work} />
        {mayDecide && <Keyed label={texts.escalate} shortcut="e" onClick={() => ask('escalate')} />}
        {mayDecide && <Keyed label={texts.merge} shortcut="m" onClick={() => ask('merge')} />}
        <span className="severe">
          <SevereActs work={work} />
          {maySanction && (
            <Keyed label={texts.sanctionPerson} shortcut="s" tone="red" onClick={() => ask('sanction')} />
          )}
        </span>
      </section>
      <CaseDialogs work={work} asking={asking} onClose={() => setAsking(null)} />
    </Page>
  );
}

interface KeyedProps {
  readonly label: string;
  readonly shortcut: string;
  readonly onClick: () => void;
  readonly tone?: 'red';
}
const Keyed = ({ label, shortcut, onClick, tone }: KeyedProps) => (
  <Button size="xs" variant="default" {...(tone === undefined ? {} : { c: 'var(--bad)' })} onClick={onClick}>
    {label}&nbsp;<kbd>{shortcut}</kbd>
  </Button>
);

/** Leads to the next open case that is not being decided here at this moment, else to the list. */
function useNextCase(id: string) {
  const { params, project } = useProject();
  const navigate = useNavigate();
  return useIntent({
    rests: false,
    mutationFn: async () => {
      const passed = new Set([id, ...decidedIds()]);
      const query = { status: 'open', limit: passed.size + 1 } as const;
      const { cases } = await client.call(caseRoutes.list, { params, query });
      return cases.find((one) => !passed.has(one.id));
    },
    onSuccess: (other) => {
      void navigate({ to: `/projects/${project.id}/cases${other === undefined ? '' : `/${other.id}`}` });
    },
  });
}

interface SplitProps {
  readonly work: CaseWork<CaseDetail>;
  readonly chosen: ReadonlySet<string>;
  readonly onDone: () => void;
}

/** Makes a case of its own of the chosen reports and reviews. */
function Split({ work: { found, item, common }, chosen, onDone }: SplitProps) {
  const { cases: texts } = useWords();
  const reportIds = found.reportList.map(({ id }) => id).filter((one) => chosen.has(one));
  const reviewIds = found.reviewList.map(({ id }) => id).filter((one) => chosen.has(one));
  return (
    <Panel title={texts.split}>
      <Act
        {...common}
        label={texts.splitChosen(chosen.size)}
        run={() => client.call(caseRoutes.split, { ...item, body: { reportIds, reviewIds } })}
        onDone={onDone}
        line={commandLine(
          ...['cases', 'split', found.id],
          ['--report-ids', reportIds.join(',')],
          ['--review-ids', reviewIds.join(',')],
        )}
      />
    </Panel>
  );
}

/** Sanctions of the person, newest first. */
function Priors({ person }: { readonly person: string }) {
  const words = useWords().cases;
  const priors = usePriors(person);
  return (
    <Panel title={words.priors}>
      <List of={readingOf(priors, (all) => all.slice(0, priorsMax))} empty={words.noPriors}>
        {({ id, type, isActive, reason, createdAt }) => (
          <li key={id}>
            <SanctionBadge type={type} isActive={isActive} />
            <bdi>{reason}</bdi>
            <span className="end quiet">
              <Time at={createdAt} />
            </span>
          </li>
        )}
      </List>
    </Panel>
  );
}
