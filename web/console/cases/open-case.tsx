/** A case with everything needed to decide it. */
import { Button, Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../../src/client/errors.js';
import { sanctionRoutes } from '../../../src/contract/moderation/sanctions.js';
import { type Case, type CaseDetail, caseRoutes, type DecideCaseRequest } from '../../../src/contract/reports/cases.js';
import { useColleagues, useProject } from '../frame/project.js';
import { useRefresh } from '../live/use-live.js';
import { CliLine, commandLine, Id } from '../parts/copy.js';
import { Dialog } from '../parts/dialog.js';
import { useKeys } from '../parts/keys.js';
import { Page, Panel } from '../parts/page.js';
import { fieldError, Refusal } from '../parts/refusal.js';
import { Ago, Time } from '../parts/time.js';
import { PersonLink } from '../people/person-link.js';
import { SanctionBadge } from '../sanctions/sanction-badge.js';
import { SanctionForm } from '../sanctions/sanction-form.js';
import { client } from '../session/session.js';
import { useWords } from '../words/words.js';
import { CaseReports } from './case-reports.js';
import { OpenReview } from './open-review.js';
import { useMe } from './queries.js';

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

type Asking = 'sanction' | 'escalate' | 'merge';
const roles = ['moderator', 'admin', 'owner'] as const;

function CasePage({ found }: { readonly found: CaseDetail }) {
  const words = useWords();
  const { cases: texts } = words;
  const { params, project, may } = useProject();
  const { id, status, escalatedTo } = found;
  const item = { params: { ...params, id } };
  const navigate = useNavigate();
  const queries = useQueryClient();
  const me = useMe();
  const names = useColleagues();
  const [note, setNote] = useState('');
  const [asking, setAsking] = useState<Asking | null>(null);
  const [role, setRole] = useState<(typeof roles)[number]>('admin');
  const [intoId, setIntoId] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const noted = note === '' ? {} : { note };
  const act = useMutation({
    mutationFn: (work: () => Promise<Case>) => work(),
    onSuccess: () => {
      setAsking(null);
      setNote('');
    },
    // After a refusal, too: somebody else was first, and the page shows what they did.
    onSettled: () => queries.invalidateQueries(),
  });
  const next = useMutation({
    mutationFn: () => client.call(caseRoutes.list, { params, query: { status: 'open', limit: 2 } }),
    onSuccess: ({ cases }) => {
      const other = cases.find((one) => one.id !== id);
      void navigate({ to: `/projects/${project.id}/cases${other === undefined ? '' : `/${other.id}`}` });
    },
  });
  const decide = (body: DecideCaseRequest) => client.call(caseRoutes.decide, { ...item, body });
  const ended = (reasonCode: 'no_violation' | 'insufficient_evidence' | 'unfounded_reports') => () =>
    act.mutate(() => decide({ decision: 'no_action', reasonCode, ...noted }));
  const isMine = status === 'claimed' && found.claimedByUserId === me;
  const isEntitled = escalatedTo === null || may(escalatedTo);
  const mayDecide = isEntitled && (status === 'open' || isMine);
  const mayConfirm = isEntitled && status === 'unconfirmed' && found.proposedByUserId !== me;
  const ask = (what: Asking) => () => setAsking(what);
  const claim = mayDecide && !isMine ? () => act.mutate(() => client.call(caseRoutes.claim, item)) : undefined;
  const release = isMine ? () => act.mutate(() => client.call(caseRoutes.release, item)) : undefined;
  const confirm = (agree: boolean) => () =>
    act.mutate(() => client.call(caseRoutes.confirm, { ...item, body: { agree, ...noted } }));
  const buttons: readonly [string, string, (() => void) | undefined][] = [
    [texts.claim, 'l', claim],
    [texts.release, 'r', release],
    [texts.sanctionPerson, 's', mayDecide && found.externalUserId !== null ? ask('sanction') : undefined],
    [texts.noViolation, 'v', mayDecide ? ended('no_violation') : undefined],
    [texts.tooLittle, 'i', mayDecide ? ended('insufficient_evidence') : undefined],
    [texts.unfounded, 'f', mayDecide && found.reports > 0 ? ended('unfounded_reports') : undefined],
    [texts.escalate, 'e', mayDecide ? ask('escalate') : undefined],
    [texts.merge, 'm', mayDecide ? ask('merge') : undefined],
    [texts.confirm, 'y', mayConfirm ? confirm(true) : undefined],
    [texts.turnDown, 'd', mayConfirm ? confirm(false) : undefined],
    [texts.next, 'n', () => next.mutate()],
  ];
  useKeys(Object.fromEntries(buttons.map(([, key, does]) => [key, does])));
  const nameOf = (userId: string | null) =>
    userId === null ? '' : userId === me ? texts.me : (names.get(userId) ?? userId);
  const choose =
    mayDecide && found.reports + found.reviews > 1 ? (one: string) => setChosen(toggled(chosen, one)) : undefined;
  const reportIds = found.reportList.map((one) => one.id).filter((one) => chosen.has(one));
  const reviewIds = found.reviewList.map((one) => one.id).filter((one) => chosen.has(one));
  const noteFlag = note === '' ? [] : ['--note', note];
  const decideLine = (...flags: string[]) => commandLine('cases', 'decide', id, ...flags, ...noteFlag);
  return (
    <Page
      title={
        <>
          {found.category} <Id id={id} />
        </>
      }
      actions={buttons.map(
        ([label, key, does]) =>
          does !== undefined && (
            <Button key={key} variant="default" onClick={does}>
              {label}&nbsp;<kbd>{key}</kbd>
            </Button>
          ),
      )}
    >
      <Refusal error={act.error} fields={asking === 'sanction' ? ['note', 'sanction'] : ['note']} />
      <div className="columns">
        <div className="stack">
          <Panel title={texts.case}>
            <dl className="facts">
              <dt>{words.person}</dt>
              <dd>
                <PersonLink id={found.externalUserId} name={found.externalUserId ?? found.roomId} />{' '}
                {found.speaking && <span className="badge good">{texts.speaking}</span>}
              </dd>
              <dt>{texts.why}</dt>
              <dd>
                {found.priority.toFixed(1)}: <bdi>{found.why}</bdi>
              </dd>
              <dt>{words.status}</dt>
              <dd>
                <span className="badge accent">{texts[status]}</span>{' '}
                {found.decision !== null && (
                  <span className="badge good">
                    {texts.decisions[found.decision]} {found.reasonCode}
                  </span>
                )}{' '}
                <bdi>{nameOf(found.decidedByUserId ?? found.proposedByUserId ?? found.claimedByUserId)}</bdi>
              </dd>
              {escalatedTo !== null && (
                <>
                  <dt>{texts.escalatedTo}</dt>
                  <dd>{escalatedTo}</dd>
                </>
              )}
              <dt>{texts.waits}</dt>
              <dd>{found.decidedAt === null ? <Ago at={found.createdAt} /> : <Time at={found.decidedAt} />}</dd>
              <dt>{texts.due}</dt>
              <dd>
                <Time at={found.dueAt} />{' '}
                {found.missedAt !== null && <span className="badge bad">{texts.overdue}</span>}
              </dd>
              {found.note !== null && (
                <>
                  <dt>{words.note}</dt>
                  <dd>
                    <bdi>{found.note}</bdi>
                  </dd>
                </>
              )}
              {found.sanctionId !== null && (
                <>
                  <dt>{texts.sanction}</dt>
                  <dd>
                    <Link to={`/projects/${project.id}/sanctions/${found.sanctionId}`}>{texts.toSanction}</Link>
                  </dd>
                </>
              )}
              {found.mergedIntoId !== null && (
                <>
                  <dt>{texts.decisions.merged}</dt>
                  <dd>
                    <Link to={`/projects/${project.id}/cases/${found.mergedIntoId}`}>{texts.back}</Link>
                  </dd>
                </>
              )}
            </dl>
            {(mayDecide || mayConfirm || note !== '') && (
              <Textarea
                label={texts.decidedNote}
                autosize={false}
                rows={2}
                value={note}
                onChange={(event) => setNote(event.currentTarget.value)}
                error={fieldError(act.error, 'note')}
              />
            )}
            {mayDecide && (
              <>
                <CliLine line={commandLine('cases', isMine ? 'release' : 'claim', id)} />
                {['no_violation', 'insufficient_evidence', 'unfounded_reports'].map((code) => (
                  <CliLine key={code} line={decideLine('--decision', 'no_action', '--reason-code', code)} />
                ))}
              </>
            )}
            {mayConfirm && (
              <>
                <CliLine line={commandLine('cases', 'confirm', id, ...noteFlag)} />
                <CliLine line={commandLine('cases', 'confirm', id, '--turn-down', ...noteFlag)} />
              </>
            )}
            <CliLine line={commandLine('cases', 'get', id)} />
          </Panel>
          {found.reviewList.length > 0 && (
            <Panel title={texts.reviews}>
              <ul className="list">
                {found.reviewList.map((review) => (
                  <li key={review.id}>
                    <span className="badge accent">{review.kind}</span>
                    <Link to={`/projects/${project.id}/cases/${review.id}`}>
                      <bdi>{review.statement ?? review.externalUserId ?? review.id}</bdi>
                    </Link>
                    <span className="badge">{texts[review.decision ?? review.status]}</span>
                    {choose !== undefined && (
                      <Checkbox
                        size="xs"
                        label={texts.choose}
                        checked={chosen.has(review.id)}
                        onChange={() => choose(review.id)}
                      />
                    )}
                  </li>
                ))}
              </ul>
            </Panel>
          )}
          {chosen.size > 0 && mayDecide && (
            <Panel title={texts.split}>
              <Button
                variant="default"
                onClick={() => {
                  act.mutate(() => client.call(caseRoutes.split, { ...item, body: { reportIds, reviewIds } }));
                  setChosen(new Set());
                }}
              >
                {texts.splitChosen(chosen.size)}
              </Button>
              <CliLine
                line={commandLine(
                  ...['cases', 'split', id],
                  ...(reportIds.length === 0 ? [] : ['--report-ids', reportIds.join(',')]),
                  ...(reviewIds.length === 0 ? [] : ['--review-ids', reviewIds.join(',')]),
                )}
              />
            </Panel>
          )}
          {found.externalUserId !== null && <Priors person={found.externalUserId} />}
        </div>
        <CaseReports reports={found.reportList} chosen={chosen} onChoose={choose} />
      </div>
      <Dialog opened={asking === 'sanction'} onClose={() => setAsking(null)} title={texts.sanctionPerson}>
        <SanctionForm
          person={found.externalUserId ?? ''}
          type="temp_ban"
          decision={{
            send: (sanction, text) =>
              decide({
                ...{ decision: 'sanction', reasonCode: 'violation', sanction },
                ...(text === '' ? noted : { note: text }),
              }),
            command: (sanction, text) =>
              commandLine(
                ...['cases', 'decide', id, '--decision', 'sanction', '--reason-code', 'violation'],
                ...['--sanction', JSON.stringify(sanction)],
                ...(text === '' ? noteFlag : ['--note', text]),
              ),
          }}
          onDone={() => setAsking(null)}
        />
      </Dialog>
      <Dialog opened={asking === 'escalate'} onClose={() => setAsking(null)} title={texts.escalate}>
        <div className="form">
          <NativeSelect
            label={texts.escalatedTo}
            value={role}
            onChange={(event) => setRole(event.currentTarget.value as (typeof roles)[number])}
            data={[...roles]}
          />
          <Refusal error={act.error} />
          <div className="buttons">
            <Button
              onClick={() => act.mutate(() => client.call(caseRoutes.escalate, { ...item, body: { role, ...noted } }))}
            >
              {texts.escalate}
            </Button>
          </div>
          <CliLine line={commandLine('cases', 'escalate', id, '--role', role, ...noteFlag)} />
        </div>
      </Dialog>
      <Dialog opened={asking === 'merge'} onClose={() => setAsking(null)} title={texts.merge}>
        <div className="form">
          <TextInput
            label={texts.intoId}
            value={intoId}
            onChange={(event) => setIntoId(event.currentTarget.value.trim())}
            error={fieldError(act.error, 'intoId')}
          />
          <Refusal error={act.error} fields={['intoId']} />
          <div className="buttons">
            <Button
              disabled={intoId === ''}
              onClick={() => act.mutate(() => client.call(caseRoutes.merge, { ...item, body: { intoId } }))}
            >
              {texts.merge}
            </Button>
          </div>
          <CliLine line={commandLine('cases', 'merge', id, intoId === '' ? 'CASE' : intoId)} />
        </div>
      </Dialog>
    </Page>
  );
}

/** Sanctions of the person, newest first. */
function Priors({ person }: { readonly person: string }) {
  const words = useWords().cases;
  const { params } = useProject();
  const { data = [] } = useQuery({
    queryKey: ['cases', params.projectId, 'priors', person],
    queryFn: () => client.call(sanctionRoutes.ofUser, { params: { ...params, externalUserId: person } }),
  });
  return (
    <Panel title={words.priors}>
      {data.length === 0 && <p className="quiet">{words.noPriors}</p>}
      <ul className="list">
        {data.slice(0, priorsMax).map(({ id, type, isActive, reason, createdAt }) => (
          <li key={id}>
            <SanctionBadge type={type} isActive={isActive} />
            <bdi>{reason}</bdi>
            <span className="end quiet">
              <Time at={createdAt} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
