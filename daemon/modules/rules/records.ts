import type { Platform } from '../../platform/platform.js';
import { DecisionStore } from './decisions/decision-store.js';
import { RuleStore } from './resource/rule-store.js';

export const ruleRecords = ({ database }: Pick<Platform, 'database'>) => ({
  store: new RuleStore(database),
  decisions: new DecisionStore(database),
});
