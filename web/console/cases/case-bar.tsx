/** The claimed case, over every page until it is decided or given back. */
import { Link } from '@tanstack/react-router';
import { useOpenId, useProject } from '../frame/project.js';
import { useWords } from '../words/words.js';
import { useClaimed } from './queries.js';

export default function CaseBar() {
  const words = useWords().cases;
  const { project } = useProject();
  const claimed = useClaimed();
  const openId = useOpenId();
  if (claimed === null || claimed.id === openId) return null;
  return (
    <div className="case-bar" role="status">
      <bdi>{words.bar(claimed.kind, claimed.who ?? '–')}</bdi>
      <Link to={`/projects/${project.id}/cases/${claimed.id}`}>{words.back}</Link>
    </div>
  );
}
