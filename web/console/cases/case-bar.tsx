/** The claimed case, over every page until it is decided or given back: there, or in the bar itself. */
import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useOpenId, useProject } from '../frame/project.js';
import { useMarked } from '../people/marks.js';
import { Marks } from '../people/person-link.js';
import { useWords } from '../words/words.js';
import { kindWord, useClaimed } from './queries.js';

/** Apart, because mostly nothing is claimed. */
const BarActs = lazy(() => import('./bar-acts.js'));

export default function CaseBar() {
  const words = useWords();
  const { project } = useProject();
  const claimed = useClaimed();
  const openId = useOpenId();
  const person = claimed?.externalUserId ?? null;
  const marked = useMarked(person);
  if (claimed === null || claimed.id === openId) return null;
  const [kind, room] = 'category' in claimed ? [claimed.category, claimed.roomId] : [claimed.kind, null];
  return (
    <section className="case-bar" aria-label={words.cases.case}>
      <span role="status">
        <bdi>{words.cases.bar(kindWord(words, kind), marked?.displayName ?? person ?? room ?? '–')}</bdi>
      </span>
      <Marks of={marked} />
      <Link to={`/projects/${project.id}/cases/${claimed.id}`}>{words.cases.back}</Link>
      {'category' in claimed && (
        <Suspense fallback={null}>
          <BarActs found={claimed} />
        </Suspense>
      )}
    </section>
  );
}
