/** The claimed case, over every page until it is decided or given back. */
import { Link } from '@tanstack/react-router';
import { useOpenId, useProject } from '../frame/project.js';
import { useMarked } from '../people/marks.js';
import { Marks } from '../people/person-link.js';
import { useWords } from '../words/words.js';
import { kindWord, useClaimed } from './queries.js';

export default function CaseBar() {
  const words = useWords();
  const { project } = useProject();
  const claimed = useClaimed();
  const openId = useOpenId();
  const marked = useMarked(claimed?.person ?? null);
  if (claimed === null || claimed.id === openId) return null;
  return (
    <div className="case-bar" role="status">
      <bdi>
        {words.cases.bar(kindWord(words, claimed.kind), marked?.displayName ?? claimed.person ?? claimed.room ?? '–')}
      </bdi>
      <Marks of={marked} />
      <Link to={`/projects/${project.id}/cases/${claimed.id}`}>{words.cases.back}</Link>
    </div>
  );
}
