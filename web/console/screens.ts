/** Every screen, in the order of the navigation. A new one is a folder beside these and a line here. */
import type { ConsoleScreen } from './frame/screen.js';

export const screens: readonly ConsoleScreen[] = [
  {
    ...{ path: 'overview', icon: 'overview', key: 'o' },
    title: (words) => words.overview.title,
    load: () => import('./overview/screen.js'),
  },
  {
    ...{ path: 'rooms', icon: 'rooms', key: 'r' },
    title: (words) => words.rooms.title,
    load: () => import('./rooms/screen.js'),
  },
  {
    ...{ path: 'cases', icon: 'cases', key: 'c' },
    title: (words) => words.cases.title,
    load: () => import('./cases/screen.js'),
  },
  {
    ...{ path: 'people', icon: 'people', key: 'p' },
    title: (words) => words.people.title,
    load: () => import('./people/screen.js'),
  },
  {
    ...{ path: 'sanctions', icon: 'sanctions', key: 's' },
    title: (words) => words.sanctions.title,
    load: () => import('./sanctions/screen.js'),
  },
  {
    ...{ path: 'transcripts', icon: 'transcripts', key: 't' },
    title: (words) => words.screens.transcripts,
    load: () => import('./transcripts/screen.js'),
  },
  {
    ...{ path: 'gatherings', icon: 'gatherings', key: 'm' },
    title: (words) => words.screens.gatherings,
    load: () => import('./gatherings/screen.js'),
  },
  {
    ...{ path: 'gameplay', icon: 'gameplay', key: 'y' },
    title: (words) => words.screens.gameplay,
    load: () => import('./gameplay/screen.js'),
  },
  {
    ...{ path: 'developers', icon: 'developers', key: 'd' },
    title: (words) => words.screens.developers,
    load: () => import('./developers/screen.js'),
  },
  {
    ...{ path: 'administration', icon: 'administration', key: 'a' },
    title: (words) => words.screens.administration,
    load: () => import('./administration/screen.js'),
  },
];
