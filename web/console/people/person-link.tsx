import { Link } from '@tanstack/react-router';
import { useProject } from '../frame/project.js';

/** Leads to the person; names are isolated, because people choose them (UAX 9). */
export function PersonLink({ id, name }: { readonly id: string | null; readonly name?: string | null | undefined }) {
  const { project } = useProject();
  if (id === null) return <bdi className="person">{name ?? '–'}</bdi>;
  return (
    <Link
      className="person"
      to={`/projects/${project.id}/people/${encodeURIComponent(id)}`}
      onClick={(event) => event.stopPropagation()}
    >
      <bdi>{name ?? id}</bdi>
    </Link>
  );
}
