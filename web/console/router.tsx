/** Addresses: `/console/projects/ID/SCREEN/ID`, with filters in the query, so that a link shows a colleague the same. */

import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Navigate } from '@tanstack/react-router';
import { basePath } from '../base.js';
import { Frame } from './frame/frame.js';
import { useProjects } from './frame/project.js';
import { Pending } from './parts/answer.js';
import { Page } from './parts/page.js';
import { Refusal } from './parts/refusal.js';
import { screens } from './screens.js';
import { useWords } from './words/words.js';

const NotFound = () => <Page title="404">{useWords().notFound}</Page>;

/** Leads to the project that was open last, or to the first one. */
function Start() {
  const { data: projects, error, failureReason, refetch } = useProjects();
  const words = useWords();
  if (projects === undefined) return <Pending of={{ error, failureReason, refetch }} />;
  const last = localStorage.getItem('earshot-console-project');
  const project = projects.find(({ id }) => id === last) ?? projects[0];
  if (project === undefined) return <p className="empty">{words.noProjects}</p>;
  return <Navigate to={`/projects/${project.id}/overview`} replace />;
}

const root = createRootRoute({ notFoundComponent: NotFound });
const start = createRoute({ getParentRoute: () => root, path: '/', component: Start });
const project = createRoute({ getParentRoute: () => root, path: '/projects/$projectId', component: Frame });
const open = screens.flatMap(({ path, load }) => {
  const component = lazyRouteComponent(load);
  return [path, `${path}/$id`].map((at) => createRoute({ getParentRoute: () => project, path: at, component }));
});

export const router = createRouter({
  routeTree: root.addChildren([start, project.addChildren(open)]),
  basepath: `${basePath}/console`,
  defaultPreload: 'intent',
  defaultErrorComponent: ({ error, reset }) => <Refusal error={error} onRetry={reset} />,
});
