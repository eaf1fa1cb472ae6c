/** Which answers of the console the event stream keeps fresh. */
import { beforeEach, describe, expect, it } from 'vitest';
import { KeptAnswers } from '../../web/console/live/kept.js';

const project = { projectId: 'p' };

describe('an answer that events keep fresh', () => {
  let kept: KeptAnswers;
  beforeEach(() => {
    kept = new KeptAnswers();
    kept.isLive = true;
    kept.add(['cases', 'p'], ['case.']);
    kept.add(['getProjectFigures', project], ['review.']);
    kept.add(['health'], []);
  });

  it.each([
    [['cases', 'p'], true],
    [['cases', 'p', 'list', ''], true],
    [['cases', 'q', 'list', ''], false],
    [['cases'], false],
    [['getProjectFigures', { projectId: 'p' }], true],
    [['health'], false],
  ])('is %j: %s', (key, is) => {
    expect(kept.isKept(key)).toBe(is);
  });

  it('is none while nothing comes', () => {
    kept.isLive = false;
    expect(kept.isKept(['cases', 'p'])).toBe(false);
  });

  it('changes by the events of every page that shows it, and by no others', () => {
    const changes = (type: string) => kept.mayChange(['cases', 'p', 'one', 'id'], { type });
    expect([changes('case.updated'), changes('report.created')]).toEqual([true, false]);
    kept.add(['cases', 'p'], ['report.']);
    expect([changes('case.updated'), changes('report.created')]).toEqual([true, true]);
  });

  it('may change by any event where nobody says by which', () => {
    expect(kept.mayChange(['health'], { type: 'case.updated' })).toBe(true);
  });
});
