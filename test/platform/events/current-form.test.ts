/** Events of earlier versions are completed by what they say, where a later field says it in other words. */
import { expect, it } from 'vitest';
import { inCurrentForm } from '../../../daemon/platform/events/current-form.js';

it.each([
  ['a rule imposed', null, { ruleId: 'r' }, { foundBy: 'program', decidedBy: 'program' }],
  ['somebody imposed for what a rule found', 'mo', { ruleId: 'r' }, { foundBy: 'program', decidedBy: 'person' }],
  ['somebody imposed', 'mo', null, { foundBy: 'person', decidedBy: 'person' }],
])('a sanction that %s says who found it and who decided', (_, createdByUserId, evidence, said) => {
  const stored = { id: 's', type: 'mute', createdByUserId, evidence };
  expect(inCurrentForm('sanction.created', stored)).toMatchObject({ ...stored, ...said, source: 'own_initiative' });
  const stated = { ...stored, foundBy: 'person', decidedBy: 'both' };
  expect(inCurrentForm('sanction.created', stated)).toMatchObject(stated);
});
