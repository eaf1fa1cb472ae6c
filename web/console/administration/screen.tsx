import { lazy } from 'react';
import { type Tab, TabbedPage } from '../parts/tabbed-page.js';
import { useWords } from '../words/all-words.js';
import { useInstallation } from './use-installation.js';

const projectTabs: readonly Tab[] = [
  { id: 'settings', title: ({ administration }) => administration.settings, View: lazy(() => import('./settings.js')) },
  { id: 'people', title: ({ administration }) => administration.people, View: lazy(() => import('./people.js')) },
  { id: 'plugins', title: ({ administration }) => administration.plugins, View: lazy(() => import('./plugins.js')) },
  { id: 'rules', title: ({ administration }) => administration.rules, View: lazy(() => import('./rules.js')) },
  {
    ...{ id: 'audit', role: 'admin' },
    title: ({ administration }) => administration.audit,
    View: lazy(() => import('./audit.js')),
  },
  {
    ...{ id: 'statistics', role: 'admin' },
    title: ({ administration }) => administration.statistics,
    View: lazy(() => import('./statistics.js')),
  },
];

const daemonTab: Tab = {
  id: 'daemon',
  title: ({ administration }) => administration.daemon,
  View: lazy(() => import('./daemon.js')),
};

export default function Administration() {
  const words = useWords();
  const { data } = useInstallation();
  const tabs = data === undefined ? projectTabs : [...projectTabs, daemonTab];
  return <TabbedPage path="administration" title={words.administration.title} tabs={tabs} />;
}
