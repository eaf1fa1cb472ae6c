/** Steps of a random walk. Each picks from what there is by the numbers of its draw, so that a seed repeats the whole walk. */
import fc from 'fast-check';
import { battlePassProgressRoutes } from '../../src/contract/gameplay/battle-pass-progress.js';
import { gameplayRoutes } from '../../src/contract/gameplay/gameplay.js';
import { leaderboardExclusionRoutes } from '../../src/contract/gameplay/leaderboard-exclusions.js';
import { leaderboardRebuildRoutes, type RebuildStatus } from '../../src/contract/gameplay/leaderboard-rebuilds.js';
import { leaderboardRoutes } from '../../src/contract/gameplay/leaderboards.js';
import { playerRoutes } from '../../src/contract/gameplay/players.js';
import { gatheringInvitationRoutes } from '../../src/contract/gatherings/gathering-invitations.js';
import { gatheringMemberRoutes } from '../../src/contract/gatherings/gathering-members.js';
import { gatheringRoutes } from '../../src/contract/gatherings/gatherings.js';
import { reviewRoutes } from '../../src/contract/moderation/reviews.js';
import { sanctionBatchRoutes } from '../../src/contract/moderation/sanction-batches.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { blockRoutes } from '../../src/contract/people/blocks.js';
import { participantRecordRoutes } from '../../src/contract/people/participant-records.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { personRoutes } from '../../src/contract/people/person.js';
import { personMoveRoutes } from '../../src/contract/people/person-moves.js';
import { caseRoutes } from '../../src/contract/reports/cases.js';
import { reportRoutes } from '../../src/contract/reports/reports.js';
import { eventually } from './eventually.js';
import type { WalkProject } from './walk-project.js';
import { eraseWatched, moveWatched } from './watched-people.js';

interface Draw {
  readonly who: number;
  readonly other: number;
  readonly which: number;
  readonly amount: number;
}

/** Returns the element that a number stands for; undefined: there is none yet. */
const picked = <T>(list: readonly T[], number: number): T | undefined => list[number % list.length];

const unknownId = '00000000-0000-7000-8000-000000000000';

/** What a step works with: its people and things. */
class Scene {
  constructor(
    readonly project: WalkProject,
    readonly draw: Draw,
  ) {}

  get client() {
    return this.project.client;
  }
  get params() {
    return this.project.params;
  }
  get user() {
    return picked(this.project.people, this.draw.who) ?? '';
  }
  get otherUser() {
    return picked(this.project.people, this.draw.other) ?? '';
  }
  get anyBoard() {
    return this.project.board(picked(this.project.boards, this.draw.which) ?? '');
  }
  get judgedBoard() {
    return this.project.board(picked(this.project.judgedBoards, this.draw.which) ?? '');
  }

  /** Participant id of somebody. */
  async participantId(user = this.user): Promise<string> {
    const { participant } = await this.client.call(personRoutes.get, { params: { ...this.params, user } });
    return participant?.id ?? 'nobody';
  }
  /** Waits until a rebuild of the board with exclusions works no more, whatever became of it; resolves to its status. */
  endOf(rebuildId: string): Promise<RebuildStatus> {
    return eventually(async () => {
      const params = { ...this.judgedBoard, rebuildId };
      const { status } = await this.client.call(leaderboardRebuildRoutes.get, { params });
      if (status === 'counting' || status === 'applying' || status === 'undoing') throw new Error(`It is ${status}.`);
      return status;
    });
  }
  get gathering() {
    return picked(this.project.gatherings, this.draw.which) ?? { id: unknownId, joinCode: 'NONE2345' };
  }
  get challenge() {
    return { ...this.params, userId: this.user, id: picked(this.project.challenges, this.draw.which) ?? '' };
  }
  get pass() {
    return { ...this.params, userId: this.user, id: picked(this.project.passes, this.draw.which) ?? '' };
  }
  get level() {
    return { ...this.params, userId: this.user, id: picked(this.project.levels, this.draw.which) ?? '' };
  }
  get sanction() {
    return { ...this.params, id: picked(this.project.sanctions, this.draw.which) ?? unknownId };
  }
  get batch() {
    return picked(this.project.batches, this.draw.which) ?? 'none';
  }
}

interface Step {
  readonly weight: number;
  run(scene: Scene): Promise<unknown>;
}

const play = {
  send: {
    weight: 12,
    run: ({ client, params, user, draw: { which, amount } }) =>
      client.call(playerRoutes.sendEvent, {
        params: { ...params, userId: user },
        body: {
          event_name: 'defeat-boss',
          event_type: which % 5 === 0 ? 'group' : 'single',
          meta_data: { health: amount },
          ...(which % 3 === 0 ? {} : { team_id: which % 3 === 1 ? 'red' : 'blue' }),
        },
      }),
  },
  exclude: {
    weight: 2,
    run: ({ client, params, user, judgedBoard: { id } }) =>
      client.call(leaderboardExclusionRoutes.exclude, { params, body: { userId: user, leaderboardId: id } }),
  },
  include: {
    weight: 1,
    run: ({ client, params, user, judgedBoard: { id } }) =>
      client.call(leaderboardExclusionRoutes.include, { params, body: { userId: user, leaderboardId: id } }),
  },
  removeMember: {
    weight: 2,
    run: ({ client, user, anyBoard: board, draw: { amount } }) =>
      client.call(leaderboardRoutes.removeMember, {
        params: {
          ...board,
          ...(amount % 3 === 0 ? { memberType: 'team', memberId: 'red' } : { memberType: 'user', memberId: user }),
        },
      }),
  },
  reset: { weight: 1, run: ({ client, anyBoard }) => client.call(leaderboardRoutes.reset, { params: anyBoard }) },
  rebuild: {
    weight: 1,
    run: async (scene) => {
      const { client, user, otherUser, judgedBoard: params, draw } = scene;
      const body = draw.amount % 2 === 0 ? { without: [user] } : { readmit: [otherUser] };
      const { id: rebuildId } = await client.call(leaderboardRebuildRoutes.make, { params, body });
      if ((await scene.endOf(rebuildId)) !== 'ready') return;
      await client.call(leaderboardRebuildRoutes.apply, { params: { ...params, rebuildId } });
      if ((await scene.endOf(rebuildId)) !== 'applied' || draw.amount % 3 !== 0) return;
      await client.call(leaderboardRebuildRoutes.undo, { params: { ...params, rebuildId } });
      await scene.endOf(rebuildId);
    },
  },
  undoRebuild: {
    weight: 1,
    run: async (scene) => {
      const { client, judgedBoard: params } = scene;
      const { rebuilds } = await client.call(leaderboardRebuildRoutes.list, { params, query: {} });
      const applied = rebuilds.find(({ status }) => status === 'applied');
      if (applied === undefined) return;
      await client.call(leaderboardRebuildRoutes.undo, { params: { ...params, rebuildId: applied.id } });
      await scene.endOf(applied.id);
    },
  },
} satisfies Record<string, Step>;

const progress = {
  unlock: { weight: 2, run: ({ client, challenge }) => client.call(playerRoutes.unlock, { params: challenge }) },
  activate: { weight: 2, run: ({ client, challenge }) => client.call(playerRoutes.activate, { params: challenge }) },
  claim: { weight: 1, run: ({ client, challenge }) => client.call(playerRoutes.claim, { params: challenge }) },
  unlockPass: {
    weight: 1,
    run: ({ client, pass }) => client.call(battlePassProgressRoutes.unlock, { params: pass, body: {} }),
  },
  activateLevel: {
    weight: 1,
    run: ({ client, level }) => client.call(battlePassProgressRoutes.activateLevel, { params: level }),
  },
  claimLevel: {
    weight: 1,
    run: ({ client, level }) => client.call(battlePassProgressRoutes.claimLevel, { params: level }),
  },
  sendMany: {
    weight: 2,
    run: ({ project, draw: { who, amount } }) => {
      const events = project.people.map((user_id, index) => ({
        ...{ user_id, event_name: 'defeat-boss', team_id: index % 2 === 0 ? 'red' : 'blue' },
        meta_data: { health: (who + index * amount) % 7 },
      }));
      return project.game.call(gameplayRoutes.sendEvents, { body: { events } });
    },
  },
} satisfies Record<string, Step>;

const people = {
  appear: {
    weight: 5,
    run: ({ client, params, user }) =>
      client.call(participantRoutes.create, { params, body: { externalUserId: user, displayName: `Name of ${user}` } }),
  },
  note: {
    weight: 1,
    run: async (scene) =>
      scene.client.call(participantRecordRoutes.addNote, {
        params: { ...scene.params, id: await scene.participantId() },
        body: { text: `A note about ${scene.user}` },
      }),
  },
  block: {
    weight: 1,
    run: ({ client, params, user, otherUser }) =>
      client.call(blockRoutes.create, { params: { ...params, user }, body: { blockedUserId: otherUser } }),
  },
} satisfies Record<string, Step>;

const gatherings = {
  gather: {
    weight: 3,
    run: async (scene) => {
      const { client, params, project, draw } = scene;
      const ownerId = draw.amount % 4 === 0 ? undefined : await scene.participantId();
      const body = { name: 'Raid', maxMembers: 2 + (draw.which % 3), ...(ownerId === undefined ? {} : { ownerId }) };
      const { id, joinCode } = await client.call(gatheringRoutes.create, { params, body });
      project.gatherings.push({ id, joinCode });
    },
  },
  join: {
    weight: 4,
    run: async (scene) => {
      const { joinCode } = scene.gathering;
      const body = { joinCode, participantId: await scene.participantId() };
      return scene.client.call(gatheringRoutes.join, { params: scene.params, body });
    },
  },
  leave: {
    weight: 2,
    run: async (scene) =>
      scene.client.call(gatheringMemberRoutes.remove, {
        params: { ...scene.params, id: scene.gathering.id, memberId: await scene.participantId() },
      }),
  },
  changeGathering: {
    weight: 1,
    run: async (scene) =>
      scene.client.call(gatheringMemberRoutes.move, {
        params: { ...scene.params, id: scene.gathering.id, memberId: await scene.participantId() },
        body: { gatheringId: picked(scene.project.gatherings, scene.draw.other)?.id ?? unknownId },
      }),
  },
  invite: {
    weight: 2,
    run: async (scene) => {
      const participantIds = [...new Set([await scene.participantId(), await scene.participantId(scene.otherUser)])];
      const params = { ...scene.params, id: scene.gathering.id };
      return scene.client.call(gatheringInvitationRoutes.send, { params, body: { participantIds } });
    },
  },
  answer: {
    weight: 2,
    run: async ({ client, params, gathering, draw: { who, amount } }) => {
      const list = { params: { ...params, id: gathering.id } };
      const invitation = picked(await client.call(gatheringInvitationRoutes.list, list), who);
      if (invitation === undefined) return;
      const one = { ...params, invitationId: invitation.id };
      const body = { participantId: invitation.participantId };
      return amount % 3 === 0
        ? client.call(gatheringInvitationRoutes.decline, { params: one })
        : client.call(gatheringInvitationRoutes.accept, { params: one, body });
    },
  },
  give: {
    weight: 1,
    run: async (scene) =>
      scene.client.call(gatheringRoutes.update, {
        params: { ...scene.params, id: scene.gathering.id },
        body: { ownerId: await scene.participantId() },
      }),
  },
} satisfies Record<string, Step>;

const imposed = ['warn', 'mute', 'temp_ban', 'perm_ban', 'ranked_restriction', 'human_review', 'mute'] as const;
const moderation = {
  impose: {
    weight: 4,
    run: async ({ client, params, project, user, draw: { which, amount } }) => {
      const type = picked(imposed, which) ?? 'warn';
      const body = {
        type,
        externalUserId: user,
        reason: `What ${user} did`,
        ...(amount % 2 === 0 ? {} : { duration: 3_600 }),
      };
      project.sanctions.push((await client.call(sanctionRoutes.create, { params, body })).id);
    },
  },
  replace: {
    weight: 1,
    run: async ({ client, params, project, user, sanction }) => {
      const body = { type: 'mute' as const, externalUserId: user, replaces: [sanction.id] };
      project.sanctions.push((await client.call(sanctionRoutes.create, { params, body })).id);
    },
  },
  revoke: { weight: 1, run: ({ client, sanction }) => client.call(sanctionRoutes.revoke, { params: sanction }) },
  undo: { weight: 1, run: ({ client, sanction }) => client.call(sanctionRoutes.undo, { params: sanction }) },
  appeal: {
    weight: 1,
    run: ({ client, sanction }) =>
      client.call(reviewRoutes.appeal, { params: sanction, body: { statement: 'It was not me' } }),
  },
  review: {
    weight: 2,
    run: async ({ client, params, draw: { which, amount } }) => {
      const { reviews } = await client.call(reviewRoutes.list, { params, query: { status: 'open' } });
      const id = picked(reviews, which)?.id ?? unknownId;
      await client.call(reviewRoutes.update, { params: { ...params, id }, body: { status: 'claimed' } });
      const decision = amount % 2 === 0 ? ('upheld' as const) : ('overturned' as const);
      const body = { status: 'decided' as const, decision, answer: 'We looked again' };
      await client.call(reviewRoutes.update, { params: { ...params, id }, body });
    },
  },
  imposeMany: {
    weight: 1,
    run: async ({ client, params, project, user, otherUser, draw: { amount } }) => {
      const items = [user, otherUser, user].map((externalUserId) => ({
        ...{ type: 'temp_ban' as const, externalUserId },
        duration: 3_600,
      }));
      const body = { items, batchId: `batch-${amount}` };
      project.batches.push((await client.call(sanctionBatchRoutes.apply, { params, body })).batchId);
    },
  },
  undoMany: {
    weight: 1,
    run: ({ client, params, batch }) => client.call(sanctionBatchRoutes.undo, { params: { ...params, id: batch } }),
  },
  report: {
    weight: 4,
    run: ({ client, params, user, otherUser, draw: { which } }) =>
      client.call(reportRoutes.create, {
        params,
        body: {
          ...(which % 4 === 0 ? {} : { reporterUserId: otherUser }),
          ...{ externalUserId: user, category: which % 2 === 0 ? 'spam' : 'threats', roomId: 'arena' },
          words: `I am ${otherUser}`,
        },
      }),
  },
  decideCase: {
    weight: 2,
    run: async ({ client, params, draw: { which, amount } }) => {
      const { cases } = await client.call(caseRoutes.list, { params, query: {} });
      const one = { ...params, id: picked(cases, which)?.id ?? unknownId };
      await client.call(caseRoutes.claim, { params: one });
      const body =
        amount % 2 === 0
          ? ({ decision: 'no_action', reasonCode: amount % 3 === 0 ? 'unfounded_reports' : 'no_violation' } as const)
          : ({ decision: 'sanction', reasonCode: 'violation', sanction: { type: 'mute', duration: 600 } } as const);
      await client.call(caseRoutes.decide, { params: one, body });
    },
  },
} satisfies Record<string, Step>;

const identities = {
  move: {
    weight: 4,
    run: ({ client, params, user, otherUser }) =>
      client.call(personMoveRoutes.move, { params: { ...params, user }, body: { externalUserId: otherUser } }),
  },
  erase: {
    weight: 2,
    run: ({ client, params, user }) => client.call(personRoutes.erase, { params: { ...params, user } }),
  },
} satisfies Record<string, Step>;

/** Milliseconds; some are longer than what leases, bans and days last. */
const jumps = [10, 3_600, 4_000, 93_600, 700_000].flatMap((seconds) => [seconds * 1_000, seconds * -1_000]);
const others = {
  restart: { weight: 1, run: ({ project }) => project.operator.restart() },
  jump: {
    weight: 2,
    run: async ({ project, draw: { which } }) => project.operator.jump?.(picked(jumps, which) ?? 0),
  },
} satisfies Record<string, Step>;

const steps = {
  ...play,
  ...progress,
  ...people,
  ...gatherings,
  ...moderation,
  ...identities,
  ...others,
} satisfies Record<string, Step>;
export type StepName = keyof typeof steps;
export type WalkStep = Draw & { readonly do: StepName; readonly where: number };

const names = Object.keys(steps).filter((name): name is StepName => Object.hasOwn(steps, name));
const number = fc.nat({ max: 29 });
const walkStep: fc.Arbitrary<WalkStep> = fc.record({
  do: fc.oneof(...names.map((name) => ({ weight: steps[name].weight, arbitrary: fc.constant(name) }))),
  where: number,
  who: number,
  other: number,
  which: number,
  amount: fc.integer({ min: -3, max: 12 }),
});

const sceneOf = (projects: readonly WalkProject[], { where, ...draw }: WalkStep): Scene => {
  const project = picked(projects, where);
  if (project === undefined) throw new Error('There is no project to walk through.');
  return new Scene(project, draw);
};

/** Takes one step, with a look at everybody before and after it where it changes who somebody is. */
export const takeWatched = (projects: readonly WalkProject[], step: WalkStep): Promise<unknown> => {
  const { project, user, otherUser } = sceneOf(projects, step);
  if (step.do === 'move') return moveWatched(project, user, otherUser);
  return step.do === 'erase' ? eraseWatched(project, user) : take(projects, step);
};

/** Takes one step; rejects with the refusal of the daemon, where it refuses. */
export const take = (projects: readonly WalkProject[], step: WalkStep): Promise<unknown> =>
  steps[step.do].run(sceneOf(projects, step));

const boardKind = fc.record({
  aggregate: fc.constantFrom('sum' as const, 'best' as const, 'last' as const),
  sortOrder: fc.constantFrom('desc' as const, 'asc' as const),
});
/** Projects with some boards, and what is done in them. */
export const walk = (stepsMin: number, stepsMax: number) =>
  fc.record({
    kind: fc.record({
      open: fc.array(boardKind, { minLength: 2, maxLength: 2 }),
      judged: fc.array(boardKind, { minLength: 1, maxLength: 1 }),
    }),
    steps: fc.array(walkStep, { minLength: stepsMin, maxLength: stepsMax, size: 'max' }),
  });
