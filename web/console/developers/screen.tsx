import { lazy } from 'react';
import { type Tab, TabbedPage } from '../parts/tabbed-page.js';
import { useWords } from '../words/all-words.js';

const tabs: readonly Tab[] = [
  { id: 'events', title: ({ developers }) => developers.events, View: lazy(() => import('./events.js')) },
  { id: 'webhooks', title: ({ developers }) => developers.webhooks, View: lazy(() => import('./webhooks.js')) },
  {
    ...{ id: 'keys', role: 'admin' },
    title: ({ developers }) => developers.keys,
    View: lazy(() => import('./keys.js')),
  },
  { id: 'providers', title: ({ developers }) => developers.providers, View: lazy(() => import('./providers.js')) },
  { id: 'api', title: ({ developers }) => developers.api, View: lazy(() => import('./api.js')) },
];

export default function Developers() {
  const words = useWords();
  return <TabbedPage path="developers" title={words.developers.title} tabs={tabs} />;
}
