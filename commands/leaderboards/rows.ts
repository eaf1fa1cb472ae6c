import { commandRow } from '../../src/cli/command/row.js';
import { resetPeriodTyped } from '../../src/cli/gameplay/reset-period.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { newNameArgument } from '../../src/cli/typed/new-name.js';
import { leaderboardRebuildRoutes } from '../../src/contract/gameplay/leaderboard-rebuilds.js';
import { leaderboardRoutes } from '../../src/contract/gameplay/leaderboards.js';

export default {
  create: commandRow({
    route: leaderboardRoutes.create,
    examples: [
      'Kills --event-name kill-enemy',
      '"Best lap" --event-name finish-laps --aggregate best --sort-order asc',
      '"Kills this week" --event-name kill-enemy --reset-period "weekly 04:30"',
    ],
    args: { name: newNameArgument },
    ownWay: resetPeriodTyped,
    columns: ['id', 'name', 'eventName', 'aggregate', 'sortOrder'],
  }),
  get: commandRow({
    route: leaderboardRoutes.get,
    examples: ['LEADERBOARD'],
    args: {
      leaderboard: nameArgument('leaderboard'),
    },
  }),
  list: commandRow({
    route: leaderboardRoutes.list,
    examples: ['', '--search week'],
    columns: ['name.en', 'eventName', 'aggregate', 'id'],
  }),
  periods: commandRow({
    route: leaderboardRoutes.periods,
    examples: ['LEADERBOARD'],
    args: {
      leaderboard: nameArgument('leaderboard'),
    },
    columns: ['startsAt', 'endsAt', 'isCurrent', 'id'],
  }),
  rebuilds: commandRow({
    route: leaderboardRebuildRoutes.list,
    examples: ['LEADERBOARD'],
    args: {
      leaderboard: nameArgument('leaderboard'),
    },
    columns: ['status', 'changed', 'excluded', 'id'],
  }),
  topic: commandRow({
    route: leaderboardRoutes.topic,
    examples: ['LEADERBOARD'],
    args: {
      leaderboard: nameArgument('leaderboard'),
    },
  }),
  update: commandRow({
    route: leaderboardRoutes.update,
    examples: ['LEADERBOARD --name "Kills this week" --clear endDate'],
    args: {
      leaderboard: nameArgument('leaderboard'),
    },
    ownWay: resetPeriodTyped,
  }),
};
