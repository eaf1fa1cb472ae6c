import { lazy } from 'react';
import { type Tab, TabbedPage } from '../parts/tabbed-page.js';
import { useWords } from '../words/all-words.js';

const tabs: readonly Tab[] = [
  { id: 'challenges', title: ({ gameplay }) => gameplay.challenges, View: lazy(() => import('./challenges.js')) },
  { id: 'passes', title: ({ gameplay }) => gameplay.passes, View: lazy(() => import('./passes.js')) },
  { id: 'boards', title: ({ gameplay }) => gameplay.boards, View: lazy(() => import('./boards.js')) },
  { id: 'player', title: ({ gameplay }) => gameplay.player, View: lazy(() => import('./player.js')) },
  { id: 'season', title: ({ gameplay }) => gameplay.season, View: lazy(() => import('./season.js')) },
  { id: 'simulation', title: ({ gameplay }) => gameplay.simulation, View: lazy(() => import('./simulation.js')) },
];

export default function Gameplay() {
  const words = useWords();
  return <TabbedPage path="gameplay" title={words.gameplay.title} tabs={tabs} />;
}
