/** What the parts of a case's page share: what the reader may do, and the note that goes with whatever they do. */
import { useState } from 'react';
import { type Case, caseRoutes, type DecideCaseRequest } from '../../../src/contract/reports/cases.js';
import { useProject } from '../frame/project.js';
import type { Undoable } from '../parts/undo.js';
import { useMarked } from '../people/marks.js';
import { useTemplates } from '../sanctions/sanction-form.js';
import { client } from '../session/session.js';
import { useWords } from '../words/words.js';
import { useMe } from './queries.js';

export type CaseWork<Found extends Case = Case> = ReturnType<typeof useCaseWork<Found>>;

interface CaseWorkOptions {
  /** Called once the case is decided, or is going to be. */
  readonly onLeave?: () => void;
  /** Single keys do it, too. */
  readonly hasKeys: boolean;
}

export function useCaseWork<Found extends Case>(found: Found, { onLeave = () => {}, hasKeys }: CaseWorkOptions) {
  const { params } = useProject();
  const rights = useRights(found);
  const [note, setNote] = useState('');
  const [refusal, setRefusal] = useState<unknown>(null);
  const { data: templates = [] } = useTemplates(rights.mayDecide && found.externalUserId !== null);
  const { id } = found;
  const { done } = useWords();
  const item = { params: { ...params, id } };
  /** Who or what the case is about. */
  const who = useMarked(found.externalUserId)?.displayName ?? found.externalUserId ?? found.roomId ?? id;
  return {
    found,
    item,
    rights,
    templates,
    note,
    setNote,
    refusal,
    noted: note === '' ? {} : { note },
    noteFlag: ['--note', note] as const,
    who,
    onLeave,
    keyed: (shortcut: string) => (hasKeys ? { shortcut } : {}),
    /** What waits for a second person can be turned down instead. */
    undoOfDecision: ({ status }: Case): Undoable | null =>
      status === 'decided'
        ? { label: done.decided(who), run: () => client.call(caseRoutes.reopen, { ...item, body: {} }) }
        : null,
    /** What was typed since is still to be sent. */
    clearSentNote: () => setNote((now) => (now === note ? '' : now)),
    decide: (body: DecideCaseRequest) => client.call(caseRoutes.decide, { ...item, body }),
    reasonOf: ({ template }: { readonly template?: string | undefined }) =>
      templates.find(({ name }) => name === template)?.ground?.kind === 'law' ? 'illegal_content' : 'violation',
    /** The properties that all buttons of the page have. */
    common: { about: id, onRefused: setRefusal, fields: ['note'], isLarge: true },
  } as const;
}

function useRights({ status, escalatedTo, claimedByUserId, proposedByUserId, decidedByUserId, decision }: Case) {
  const { may } = useProject();
  const me = useMe();
  const isMine = status === 'claimed' && claimedByUserId === me;
  const isEntitled = escalatedTo === null || may(escalatedTo);
  const isOwnProposal = status === 'unconfirmed' && proposedByUserId === me;
  const isReopenable = status === 'decided' && (decision === 'no_action' || decision === 'sanction');
  return {
    me,
    isMine,
    isOwnProposal,
    mayDecide: isEntitled && (status === 'open' || isMine),
    mayConfirm: isEntitled && status === 'unconfirmed' && !isOwnProposal,
    mayReopen: isReopenable && (decidedByUserId === me || may('admin')),
  };
}
