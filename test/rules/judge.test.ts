/** Decisions stored when something fails or somebody is erased meanwhile, and the judge's place in the log. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { rowsAtOnce } from '../../daemon/platform/database/slices.js';
import { pollMs, sweepMs } from '../../daemon/platform/events/log-readers.js';
import { databases, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { JudgeScene } from './judge-scene.js';

const frog = { all: [{ words: { any: ['frog'] } }] };

describe.each(databases)('a judge on $name', ({ open, here }) => {
  describe.skipIf(!here)('', () => {
    let opened: TestDatabase;
    let scene: JudgeScene;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened.close());
    beforeEach(async () => {
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
      scene = new JudgeScene(opened.database);
      await scene.start();
    });
    afterEach(async () => {
      await scene.stop();
      vi.useRealTimers();
    });

    it('moves its place behind everything that it has read, and reads nothing twice', async () => {
      await scene.rule({ when: frog });
      const count = 700;
      await scene.say(...Array.from({ length: count }, () => ['u1', 'nothing'] as const));
      await eventually(() => expect(scene.asked).toHaveLength(count));
      vi.advanceTimersByTime(sweepMs);
      const { projectId } = scene.grant;
      await eventually(async () => expect(await scene.store.position(projectId)).toBe(await scene.log.head()));
      expect(scene.asked).toHaveLength(count);
    });

    it('goes on behind a decision that is stored when the next facts could not be read', async () => {
      let fails = 1;
      scene.person.roles = {
        async roleIn(_project, _session, user) {
          if (user === 'u2' && fails-- > 0) throw new Error('the room cannot be asked');
          return 'none';
        },
      };
      await scene.rule({ when: { all: [...frog.all, { role: ['none'] }] } });
      await scene.say(['u1', 'frog'], ['u2', 'frog'], ['u3', 'frog']);
      await eventually(async () => {
        vi.advanceTimersByTime(pollMs);
        expect(await scene.decided()).toEqual(['u1', 'u2', 'u3']);
      });
    });

    it('goes on when a sanction that is stored could not be carried out', async () => {
      scene.holds = () => Promise.reject(new Error('the room is gone'));
      await scene.rule({ mode: 'enforce', when: frog });
      await scene.say(['u1', 'frog'], ['u2', 'frog']);
      await eventually(async () => expect(await scene.decided()).toEqual(['u1', 'u2']));
    });

    it('stores nothing about a person who is erased while it judges', async () => {
      scene.meanwhile = () => scene.erase('u1');
      await scene.rule({ when: frog });
      await scene.say(['u1', 'frog'], ['u2', 'frog']);
      await eventually(async () => expect(await scene.decided()).toEqual(['u2']));
    });

    const toxic = { when: { all: [{ annotation: { plugin: 'toxicity', atLeast: 0.5 } }] } };

    it('leaves out what was said before the rule was made, though it is annotated later', async () => {
      await scene.say(['early', 'a newt']);
      await scene.rule(toxic);
      await scene.say(['late', 'a newt']);
      await scene.annotate();
      await eventually(async () => expect(await scene.decided()).toEqual(['late']));
    });

    it('leaves out what was said while the rule was disabled, though it is annotated later', async () => {
      const { id } = await scene.rule(toxic);
      await scene.enable(id, false);
      await scene.say(['early', 'a newt']);
      await scene.enable(id, true);
      await scene.say(['late', 'a newt']);
      await scene.annotate();
      await eventually(async () => expect(await scene.decided()).toEqual(['late']));
    });

    it('leaves out what was said while all rules were stopped, though it is annotated later', async () => {
      await scene.rule(toxic);
      await scene.say(['before', 'a newt']);
      await scene.stopAll(true);
      await scene.say(['early', 'a newt']);
      const { changedAt } = await scene.stopAll(false);
      await scene.say(['late', 'a newt']);
      expect(await scene.stopAll(false)).toMatchObject({ changedAt }); // they are not stopped: nothing changes
      await scene.annotate();
      await eventually(async () => expect(await scene.decided()).toEqual(['late']));
    });

    it.each(['a\\b', '100%', 'a_b', 'say "x"'])('takes %s out of who is exempt, and nobody else', async (user) => {
      const { id } = await scene.rule({ when: frog }, [user, 'a\\\\b', '100', 'aXb', 'A_B']);
      await scene.erase(user);
      const found = await scene.store.find(scene.grant.projectId, id);
      expect(found?.row.exempt).toEqual(['a\\\\b', '100', 'aXb', 'A_B']);
    });

    it('takes a person out of any number of decisions, and nobody else', async () => {
      const rule = await scene.rule({ when: frog });
      const many = Array.from({ length: rowsAtOnce + 1 }, () => 'u1');
      await scene.decide(rule, ...many, 'u2');
      await scene.erase('u1');
      expect(await scene.decided()).toEqual([...many.map(() => null), 'u2']);
    });

    it('forgets who was exempt of a rule that is deleted', async () => {
      const { id } = await scene.rule({ when: frog }, ['u1']);
      await scene.remove(id);
      expect(await scene.store.findEver(scene.grant.projectId, id)).toMatchObject({ exempt: [] });
    });
  });
});
