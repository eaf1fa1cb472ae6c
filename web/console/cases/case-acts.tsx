/** The buttons that end a case, or hand it on, at once. */
import { banTypes } from '../../../src/contract/moderation/sanction-kinds.js';
import type { Sanction } from '../../../src/contract/moderation/sanction-record.js';
import { caseRoutes } from '../../../src/contract/reports/cases.js';
import { Act } from '../parts/act.js';
import { commandLine } from '../parts/copy.js';
import { client } from '../session/session.js';
import { useWords } from '../words/words.js';
import type { CaseWork } from './case-work.js';
import { usePriors } from './queries.js';

interface CaseActsProps {
  readonly work: CaseWork;
}

const daySeconds = 86_400;

/** What ends the case without a sanction, or hands it on. */
export function CaseActs({ work }: CaseActsProps) {
  const { cases: texts } = useWords();
  const { found, rights } = work;
  const { mayDecide } = rights;
  return (
    <>
      <Claiming work={work} />
      {mayDecide && <End work={work} label={texts.noViolation} shortcut="v" reasonCode="no_violation" />}
      {mayDecide && <End work={work} label={texts.tooLittle} shortcut="i" reasonCode="insufficient_evidence" />}
      {mayDecide && found.reports > 0 && (
        <End
          work={work}
          label={texts.unfounded}
          shortcut="f"
          reasonCode="unfounded_reports"
          asked={texts.unfoundedText}
        />
      )}
      {rights.mayConfirm && <Confirm work={work} label={texts.turnDown} shortcut="d" agree={false} />}
      {rights.isOwnProposal && <Confirm work={work} label={texts.withdraw} shortcut="d" agree={false} />}
      {rights.mayReopen && <Reopen work={work} />}
    </>
  );
}

/** What shuts the person out; it stands apart. */
export function SevereActs({ work }: CaseActsProps) {
  const { cases: texts } = useWords();
  const { found, rights } = work;
  return (
    <>
      {rights.mayDecide && found.externalUserId !== null && <BanForDay work={work} />}
      {rights.mayConfirm && <Confirm work={work} label={texts.confirm} shortcut="y" agree />}
    </>
  );
}

function Claiming({ work }: CaseActsProps) {
  const { found, item, rights, common, who } = work;
  const { cases: texts, done } = useWords();
  const claim = () => client.call(caseRoutes.claim, item);
  const release = () => client.call(caseRoutes.release, item);
  if (rights.isMine)
    return (
      <Act
        key="release"
        {...common}
        label={texts.release}
        shortcut="r"
        run={release}
        undo={() => ({ label: done.act(texts.release, who), run: claim })}
        line={commandLine('cases', 'release', found.id)}
      />
    );
  if (!rights.mayDecide) return null;
  return (
    <Act
      key="claim"
      {...common}
      isMain
      label={texts.claim}
      {...work.keyed('l')}
      run={claim}
      undo={() => ({ label: done.act(texts.claim, who), run: release })}
      line={commandLine('cases', 'claim', found.id)}
    />
  );
}

/** Bans for a day, with the template of the category where there is one. */
function BanForDay({ work }: CaseActsProps) {
  const { cases: texts } = useWords();
  const { found, templates, reasonOf, noted } = work;
  const ban = {
    ...({ type: 'temp_ban', duration: daySeconds } as const),
    ...(templates.some(({ name }) => name === found.category) ? { template: found.category } : {}),
  };
  return (
    <Act
      {...work.common}
      tone="red"
      label={texts.banDay}
      {...work.keyed('b')}
      held={`${work.who}: ${texts.banDay}`}
      run={() => work.decide({ decision: 'sanction', reasonCode: reasonOf(ban), sanction: ban, ...noted })}
      undo={work.undoOfDecision}
      onLeave={work.onLeave}
      onDone={work.clearSentNote}
      line={commandLine(
        ...['cases', 'decide', found.id],
        ['--decision', 'sanction'],
        ['--reason-code', reasonOf(ban)],
        ['--sanction', JSON.stringify(ban)],
        work.noteFlag,
      )}
    />
  );
}

interface EndProps extends CaseActsProps {
  readonly label: string;
  readonly shortcut: string;
  readonly reasonCode: 'no_violation' | 'insufficient_evidence' | 'unfounded_reports';
  /** Left out: it is done at once, and can be taken back for a moment. */
  readonly asked?: string;
}

function End({ work, label, shortcut, reasonCode, asked }: EndProps) {
  return (
    <Act
      {...work.common}
      {...{ label, ...work.keyed(shortcut) }}
      {...(asked === undefined ? { held: `${work.who}: ${label}` } : { confirm: asked })}
      run={() => work.decide({ decision: 'no_action', reasonCode, ...work.noted })}
      undo={work.undoOfDecision}
      onLeave={work.onLeave}
      onDone={work.clearSentNote}
      line={commandLine(
        ...['cases', 'decide', work.found.id],
        ['--decision', 'no_action'],
        ['--reason-code', reasonCode],
        work.noteFlag,
      )}
    />
  );
}

interface ConfirmProps extends CaseActsProps {
  readonly label: string;
  readonly shortcut: string;
  readonly agree: boolean;
}

/** Answers what somebody proposed. Turning it down asks where it leaves another ban in force. */
function Confirm({ work, label, shortcut, agree }: ConfirmProps) {
  const { cases: texts } = useWords();
  const { externalUserId, sanctionId, status } = work.found;
  const priors = usePriors(status === 'unconfirmed' ? externalUserId : null).data;
  const isAsked = status === 'unconfirmed' && externalUserId !== null;
  const isOther = ({ id, type, isActive }: Sanction) => isActive && banTypes.includes(type) && id !== sanctionId;
  return (
    <Act
      {...work.common}
      {...{ label, ...work.keyed(shortcut) }}
      {...(agree ? { tone: 'red' } : {})}
      // Whether it has to be asked is not known yet.
      disabled={!agree && isAsked && priors === undefined}
      {...(!agree && priors?.some(isOther) ? { confirm: texts.otherBans } : { held: `${work.who}: ${label}` })}
      onLeave={work.onLeave}
      run={() => client.call(caseRoutes.confirm, { ...work.item, body: { agree, ...work.noted } })}
      onDone={work.clearSentNote}
      line={commandLine('cases', 'confirm', work.found.id, ...(agree ? [] : [['--turn-down'] as const]), work.noteFlag)}
    />
  );
}

function Reopen({ work }: CaseActsProps) {
  const { cases: texts } = useWords();
  return (
    <Act
      {...work.common}
      label={texts.reopen}
      confirm={texts.reopenText}
      run={() => client.call(caseRoutes.reopen, { ...work.item, body: work.noted })}
      onDone={work.clearSentNote}
      line={commandLine('cases', 'reopen', work.found.id, work.noteFlag)}
    />
  );
}
