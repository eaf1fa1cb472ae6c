/** The project of the page, and what the caller may do in it. */
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { createContext, type PropsWithChildren, useContext } from 'react';
import { type App, projectRoutes, projectUserRoutes } from '../../../src/contract/projects/projects.js';
import { atLeast, type ProjectRole } from '../../../src/contract/route.js';
import { client } from '../session/session.js';

export const useProjects = () =>
  useQuery({ queryKey: ['projects'], queryFn: () => client.call(projectRoutes.list, {}), refetchInterval: 60_000 });

interface OpenProject {
  /** What `--project` names; undefined: the account reaches no other, and the command finds it. */
  readonly flag: string | undefined;
  readonly project: App;
  readonly params: { readonly projectId: string };
  readonly may: (role: ProjectRole) => boolean;
}
const ProjectContext = createContext<OpenProject | null>(null);

export function useProject(): OpenProject {
  const open = useContext(ProjectContext);
  if (open === null) throw new Error('This part of the page belongs to a project.');
  return open;
}

export function ProjectProvider({ project, children }: PropsWithChildren<{ readonly project: App }>) {
  const { data: all = [] } = useProjects();
  const namesakes = all.filter(({ name }) => name === project.name).length;
  const flag = all.length < 2 ? undefined : namesakes > 1 ? project.id : project.name;
  const may = (role: ProjectRole) => atLeast(project.role, role);
  return <ProjectContext value={{ project, params: { projectId: project.id }, may, flag }}>{children}</ProjectContext>;
}

/** What `--project` of a command names; undefined: nothing has to. */
export const useProjectFlag = (): string | undefined => useContext(ProjectContext)?.flag;

/** Id after the screen in the address: of a person, a room, a case. */
export const useOpenId = (): string | undefined => (useParams({ strict: false }) as { id?: string }).id;

/** Names of colleagues by their user id. */
export function useColleagues(): ReadonlyMap<string, string> {
  const { params } = useProject();
  const { data = [] } = useQuery({
    queryKey: ['colleagues', params.projectId],
    queryFn: () => client.call(projectUserRoutes.list, { params }),
    staleTime: 300_000,
  });
  return new Map(data.flatMap(({ userId, email }) => (userId === null ? [] : [[userId, email] as const])));
}
