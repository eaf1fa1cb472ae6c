/** What forms of the console send, and what they show of it as a command. */
import { expect, it } from 'vitest';
import { z } from 'zod';
import { TimestampInput } from '../../src/contract/common.js';
import { CreateChallengeRequest } from '../../src/contract/gameplay/challenges.js';
import { RuleDefinition } from '../../src/contract/rules/rule-definition.js';
import { CreateWebhookSubscriptionRequest } from '../../src/contract/webhooks/webhooks.js';
import { fieldsOf } from '../../web/console/parts/schema-fields.js';
import { flagsOf, rebased, requestOf, typedOf, withoutSecrets } from '../../web/console/parts/typed-values.js';

const fields = fieldsOf(CreateWebhookSubscriptionRequest);
const empty = Object.fromEntries(fields.map(({ name, kind }) => [name, kind === 'choices' ? [] : '']));

it('shows no secret in a command, and keeps none once it is sent', () => {
  const typed = {
    ...{ url: 'https://game.example/hook', secret: 'whsec_c2VjcmV0', apiKey: 'hidden' },
    ...{ basicAuthPassword: 'hidden', customHeaders: '{"Authorization":"Bearer hidden"}' },
  };
  const draft = { ...empty, ...typed };
  const { body } = requestOf(fields, empty, draft);
  expect(body).toMatchObject({ apiKey: 'hidden', customHeaders: { Authorization: 'Bearer hidden' } });
  const flags = flagsOf(fields, body, draft);
  expect(flags).toEqual(expect.arrayContaining([['--to', 'https://game.example/hook']]));
  expect(JSON.stringify(flags)).not.toMatch(/hidden|whsec|headers|secret/);
  expect(withoutSecrets(draft)).toEqual({ ...empty, url: typed.url });
});

it('shows an emptied field as the flag that empties it', () => {
  const start = { ...empty, description: 'Discord' };
  const { body } = requestOf(fields, start, empty);
  expect(body).toEqual({ description: null });
  expect(flagsOf(fields, body, empty)).toEqual([['--clear', 'description']]);
});

it('has one entry of a list on each line, and takes no year that dates cannot have for one', () => {
  const both = fieldsOf(z.object({ tags: z.array(z.string()).optional(), at: TimestampInput.optional() }));
  const [tags] = both;
  const draft = { tags: 'gg, well played\n clutch \n', at: '123456-01-01T00:00' };
  expect(tags && typedOf(tags, ['gg, well played', 'clutch'])).toBe('gg, well played\nclutch');
  expect(requestOf(both, { tags: '', at: '' }, draft).body).toEqual({
    ...{ tags: ['gg, well played', 'clutch'], at: '123456-01-01T00:00' },
  });
});

it('keeps what was typed where somebody else changes what stands there', () => {
  const before = { name: 'Swearing', definition: '{}' };
  const typed = { ...before, definition: '{"format":1}' };
  expect(rebased(typed, before, { name: 'Insults', definition: '{"format":2}' })).toEqual({
    ...{ name: 'Insults', definition: '{"format":1}' },
  });
});

const rule = {
  mode: 'dry-run',
  when: {
    all: [{ count: { of: { words: { any: ['idiot', 'fool'] } }, by: 'person', within: 300, atLeast: 3 } }],
    any: [],
    none: [{ role: ['owner'] }],
  },
  steps: [[{ sanction: { type: 'mute', duration: 600, scope: 'project' } }], [{ review: { statement: '' } }]],
  decay: 86_400,
};

it('shows a rule as fields, and sends the same rule', () => {
  const [definition] = fieldsOf(z.object({ definition: RuleDefinition }));
  const typed = definition && typedOf(definition, rule);
  expect(typed).toMatchObject({
    when: {
      all: [[{ kind: 'count', value: { of: [{ kind: 'words', value: { any: 'idiot, fool' } }], within: '5m' } }]],
    },
    steps: [[[{ kind: 'sanction', value: { type: 'mute', duration: '10m' } }]], [[{ kind: 'review' }]]],
  });
  const { body } = requestOf(definition ? [definition] : [], {}, { definition: typed ?? '' });
  expect(RuleDefinition.parse(body.definition)).toEqual(RuleDefinition.parse(rule));
  const asText = requestOf(definition ? [definition] : [], {}, { definition: JSON.stringify(rule) });
  expect(asText.body.definition, 'JSON is taken as well').toEqual(rule);
  expect(requestOf(definition ? [definition] : [], {}, { definition: '{' }).faults).toMatchObject([
    { path: ['definition'] },
  ]);
});

it('takes durations in the unit of their field, rows of conditions, and texts by language', () => {
  const all = fieldsOf(CreateChallengeRequest);
  const draft = {
    name: [
      { name: 'en', value: 'Three orcs' },
      { name: 'de', value: 'Drei Orks' },
    ],
    ...{ eventName: 'kill-enemy', goal: '3', goalCondition: '1', durationMinutes: '2h', lateMinutes: '90' },
    metadataConditions: [{ key: 'enemy_type', values: 'orc, troll', conjunction: 'AND' }],
    resetPeriod: { range: 'w', atTime: '04:30', timeZone: 'Europe/Berlin' },
  };
  const { body } = requestOf(all, {}, draft);
  expect(body).toEqual({
    ...{ name: { en: 'Three orcs', de: 'Drei Orks' }, eventName: 'kill-enemy', goal: 3, goalCondition: 1 },
    ...{ durationMinutes: 120, lateMinutes: 90 },
    metadataConditions: [{ key: 'enemy_type', values: ['orc', 'troll'], conjunction: 'AND' }],
    resetPeriod: { range: 'w', atTime: '04:30', timeZone: 'Europe/Berlin' },
  });
  expect(flagsOf(all, body, draft)).toEqual(expect.arrayContaining([['--duration-minutes', '120']]));
});

it('changes nothing that is only shown: durations of more than two units, and a phrase with a comma', () => {
  const fieldsOfRule = fieldsOf(z.object({ definition: RuleDefinition }));
  const exact = {
    ...{ mode: 'dry-run', when: { all: [{ words: { any: ['well, well'] } }] } },
    steps: [[{ sanction: { type: 'mute', duration: 90_061 } }]],
  };
  const draft = Object.fromEntries(fieldsOfRule.map((field) => [field.name, typedOf(field, exact)]));
  const { body } = requestOf(fieldsOfRule, {}, draft);
  expect(RuleDefinition.parse(body.definition)).toEqual(RuleDefinition.parse(exact));
});
