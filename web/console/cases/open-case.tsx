/** A case with everything needed to decide it. */
import { Button, Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../../src/client/errors.js';
import { sanctionRoutes } from '../../../src/contract/moderation/sanctions.js';
import { type CaseDetail, caseRoutes, type DecideCaseRequest } from '../../../src/contract/reports/cases.js';
import { useColleagues, useProject } from '../frame/project.js';
import { useRefresh } from '../live/use-live.js';
import { Act } from '../parts/act.js';
import { CliLine, commandLine, Id } from '../parts/copy.js';
import { Dialog } from '../parts/dialog.js';
import { decidedIds, takeBackAbout } from '../parts/held.js';
import { useKeys } from '../parts/keys.js';
import { Page, Panel } from '../parts/page.js';
import { fieldError, Refusal } from '../parts/refusal.js';
import { Ago, Time } from '../parts/time.js';
import { PersonLink } from '../people/person-link.js';
import { SanctionBadge } from '../sanctions/sanction-badge.js';
import { SanctionForm, useTemplates } from '../sanctions/sanction-form.js';
import { client } from '../session/session.js';
import { useWords } from '../words/words.js';
import { CaseReports } from './case-reports.js';
import { OpenReview } from './open-review.js';
import { useMe } from './queries.js';

const priorsMax = 20;
const daySeconds = 86_400;

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

type AskedDecision = 'sanction' | 'escalate' | 'merge';
type EndReason = 'no_violation' | 'insufficient_evidence' | 'unfounded_reports';
const roles = ['moderator', 'admin', 'owner'] as const;

function CasePage({ found }: { readonly found: CaseDetail }) {
  const words = useWords();
  const { cases: texts } = words;
  const { params, project, may } = useProject();
  const { id, status, escalatedTo } = found;
  const item = { params: { ...params, id } };
  const navigate = useNavigate();
  const me = useMe();
  const names = useColleagues();
  const [note, setNote] = useState('');
  const [refusal, setRefusal] = useState<unknown>(null);
  const [asking, setAsking] = useState<AskedDecision | null>(null);
  const [role, setRole] = useState<(typeof roles)[number]>('admin');
  const [intoId, setIntoId] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const noted = note === '' ? {} : { note };
  const next = useMutation({
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
  const decide = (body: DecideCaseRequest) => client.call(caseRoutes.decide, { ...item, body });
  const isMine = status === 'claimed' && found.claimedByUserId === me;
  const isEntitled = escalatedTo === null || may(escalatedTo);
  const mayDecide = isEntitled && (status === 'open' || isMine);
  const isWaiting = status === 'unconfirmed';
  const isOwnProposal = isWaiting && found.proposedByUserId === me;
  const mayConfirm = isEntitled && isWaiting && !isOwnProposal;
  const nameOf = (userId: string | null) =>
    userId === null ? '' : userId === me ? texts.me : (names.get(userId) ?? userId);
  const noteFlag = ['--note', note] as const;
  const who = found.externalUserId ?? found.roomId ?? id;
  /** What was typed since is still to be sent. */
  const clearSentNote = () => setNote((now) => (now === note ? '' : now));
  const ask = (what: AskedDecision) => {
    takeBackAbout(id);
    setAsking(what);
  };
  const common = { about: id, onRefused: setRefusal, fields: ['note'], isLarge: true };
  const end = (label: string, shortcut: string, reasonCode: EndReason, asked?: string) => (
    <Act
      {...common}
      {...{ label, shortcut }}
      {...(asked === undefined ? { held: `${who}: ${label}` } : { confirm: asked })}
      run={() => decide({ decision: 'no_action', reasonCode, ...noted })}
      onDone={clearSentNote}
      line={commandLine('cases', 'decide', id, ['--decision', 'no_action'], ['--reason-code', reasonCode], noteFlag)}
    />
  );
  const { data: templates = [] } = useTemplates(mayDecide && found.externalUserId !== null);
  const ban = {
    ...({ type: 'temp_ban', duration: daySeconds } as const),
    ...(templates.some(({ name }) => name === found.category) ? { template: found.category } : {}),
  };
  const reasonOf = ({ template }: { readonly template?: string | undefined }) =>
    templates.find(({ name }) => name === template)?.ground?.kind === 'law' ? 'illegal_content' : 'violation';
  const confirm = (label: string, shortcut: string, agree: boolean) => (
    <Act
      {...common}
      {...{ label, shortcut }}
      held={`${who}: ${label}`}
      run={() => client.call(caseRoutes.confirm, { ...item, body: { agree, ...noted } })}
      onDone={clearSentNote}
      line={commandLine('cases', 'confirm', id, ...(agree ? [] : [['--turn-down'] as const]), noteFlag)}
    />
  );
  const askings: readonly (readonly [AskedDecision, string, string])[] = mayDecide
    ? [
        ...(found.externalUserId === null ? [] : [['sanction', texts.sanctionPerson, 's'] as const]),
        ['escalate', texts.escalate, 'e'],
        ['merge', texts.merge, 'm'],
      ]
    : [];
  useKeys({
    n: () => next.mutate(),
    ...Object.fromEntries(askings.map(([what, , key]) => [key, () => ask(what)])),
  });
  const choose =
    mayDecide && found.reports + found.reviews > 1 ? (one: string) => setChosen(toggled(chosen, one)) : undefined;
  const reportIds = found.reportList.map((one) => one.id).filter((one) => chosen.has(one));
  const reviewIds = found.reviewList.map((one) => one.id).filter((one) => chosen.has(one));
  return (
    <Page
      title={
        <>
          {found.category} <Id id={id} />
        </>
      }
      actions={
        <>
          {mayDecide && !isMine && (
            <Act
              {...common}
              label={texts.claim}
              shortcut="l"
              run={() => client.call(caseRoutes.claim, item)}
              line={commandLine('cases', 'claim', id)}
            />
          )}
          {isMine && (
            <Act
              {...common}
              label={texts.release}
              shortcut="r"
              run={() => client.call(caseRoutes.release, item)}
              line={commandLine('cases', 'release', id)}
            />
          )}
          {mayDecide && found.externalUserId !== null && (
            <Act
              {...common}
              label={texts.banDay}
              shortcut="b"
              held={`${who}: ${texts.banDay}`}
              run={() => decide({ decision: 'sanction', reasonCode: reasonOf(ban), sanction: ban, ...noted })}
              onDone={clearSentNote}
              line={commandLine(
                ...['cases', 'decide', id],
                ['--decision', 'sanction'],
                ['--reason-code', reasonOf(ban)],
                ['--sanction', JSON.stringify(ban)],
                noteFlag,
              )}
            />
          )}
          {mayDecide && end(texts.noViolation, 'v', 'no_violation')}
          {mayDecide && end(texts.tooLittle, 'i', 'insufficient_evidence')}
          {mayDecide && found.reports > 0 && end(texts.unfounded, 'f', 'unfounded_reports', texts.unfoundedText)}
          {mayConfirm && confirm(texts.confirm, 'y', true)}
          {mayConfirm && confirm(texts.turnDown, 'd', false)}
          {isOwnProposal && confirm(texts.withdraw, 'd', false)}
          {askings.map(([what, label, key]) => (
            <Button key={key} variant="default" onClick={() => ask(what)}>
              {label}&nbsp;<kbd>{key}</kbd>
            </Button>
          ))}
          <Button variant="default" onClick={() => next.mutate()}>
            {texts.next}&nbsp;<kbd>n</kbd>
          </Button>
        </>
      }
    >
      <Refusal error={next.error} />
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
                error={fieldError(refusal, 'note')}
              />
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
              <Act
                {...common}
                label={texts.splitChosen(chosen.size)}
                run={() => client.call(caseRoutes.split, { ...item, body: { reportIds, reviewIds } })}
                onDone={() => setChosen(new Set())}
                line={commandLine(
                  ...['cases', 'split', id],
                  ['--report-ids', reportIds.join(',')],
                  ['--review-ids', reviewIds.join(',')],
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
                ...{ decision: 'sanction', reasonCode: reasonOf(sanction), sanction },
                ...(text === '' ? noted : { note: text }),
              }),
            command: (sanction, text) =>
              commandLine(
                ...['cases', 'decide', id],
                ['--decision', 'sanction'],
                ['--reason-code', reasonOf(sanction)],
                ['--sanction', JSON.stringify(sanction)],
                text === '' ? noteFlag : ['--note', text],
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
          <div className="buttons">
            <Act
              {...common}
              isMain
              label={texts.escalate}
              run={() => client.call(caseRoutes.escalate, { ...item, body: { role, ...noted } })}
              onDone={() => {
                setAsking(null);
                clearSentNote();
              }}
              line={commandLine('cases', 'escalate', id, ['--role', role], noteFlag)}
            />
          </div>
        </div>
      </Dialog>
      <Dialog opened={asking === 'merge'} onClose={() => setAsking(null)} title={texts.merge}>
        <div className="form">
          <TextInput
            label={texts.intoId}
            value={intoId}
            onChange={(event) => setIntoId(event.currentTarget.value.trim())}
            error={fieldError(refusal, 'intoId')}
          />
          <div className="buttons">
            <Act
              {...common}
              isMain
              fields={['intoId']}
              disabled={intoId === ''}
              label={texts.merge}
              run={() => client.call(caseRoutes.merge, { ...item, body: { intoId } })}
              onDone={() => setAsking(null)}
              line={commandLine('cases', 'merge', id, intoId === '' ? 'CASE' : intoId)}
            />
          </div>
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
