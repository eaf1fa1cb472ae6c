/** Fields of rules that depend on each other, for the examples of the OpenAPI document. */
import type { Json } from '../tidy-schema.js';

const toxic = { annotation: { plugin: 'toxicity', atLeast: 0.8 } };
const mute = { sanction: { type: 'mute', duration: 600, scope: 'project', reason: 'Watch your language.' } };
const definition = {
  ...{
    format: 1,
    mode: 'dry-run',
    events: ['message.annotation.created'],
    when: { all: [toxic], any: [], none: [{ role: ['owner'] }] },
  },
  ...{ steps: [[{ sanction: { type: 'warn', scope: 'project' } }], [mute]], decay: 86_400 },
};
const verdict = {
  ...{ outcome: 'matched', score: 0.9, step: 2, actions: [mute] },
  conditions: [
    { condition: 'all.0', holds: true },
    { condition: 'none.0', holds: false },
  ],
};

export const ruleExampleParts: Readonly<Record<string, Json>> = {
  RuleDefinition: definition,
  RuleConditions: definition.when,
  RuleCondition: toxic,
  RuleCountCondition: { of: toxic, by: 'person', within: 300, atLeast: 3 },
  RuleTimeCondition: { from: '22:00', to: '06:00', weekdays: ['fri', 'sat'], timeZone: 'Europe/Berlin' },
  RuleAction: mute,
  RuleSanctionAction: mute.sanction,
  RuleAnnotationCondition: {
    plugin: 'toxicity',
    type: undefined,
    category: undefined,
    atLeast: 0.8,
    atMost: undefined,
  },
  Rule: { name: 'Watch your language', version: 2, definition, exempt: ['streamer-1'] },
  RuleVersion: { version: 2, definition, copyOf: null },
  CreateRuleRequest: { name: 'Watch your language', definition, exempt: ['streamer-1'] },
  UpdateRuleRequest: { name: undefined, definition, exempt: ['streamer-1'] },
  RollBackRuleRequest: { version: 1 },
  RuleSwitch: { stopped: true },
  SetRuleSwitchRequest: { stopped: true },
  RuleVerdict: verdict,
  RuleFacts: { exempt: false, repeated: false, times: 1, sanctionsThisHour: 3, sanctionsPerHourMax: 20 },
  RuleDecision: { version: 2, mode: 'enforce', outcome: 'matched', verdict },
  RuleTestRequest: { definition, exempt: ['streamer-1'], ruleId: undefined, place: undefined },
  RuleTestMatch: { step: 2, score: 0.9, actions: [mute] },
  RuleReplay: { identical: true, gone: [], verdict },
};
