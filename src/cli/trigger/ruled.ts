/** Makes rules, changes and deletes them, and has one match what somebody writes. */
import type { z } from 'zod';
import type { RuleDefinition } from '../../contract/rules/rule-definition.js';
import { type Rule, ruleRoutes } from '../../contract/rules/rules.js';
import { sessionRoutes } from '../../contract/sessions/sessions.js';
import type { Scratch } from './scratch.js';

/** A rule that only announces messages with the name of the things made here. */
const announcing = (word: string): z.input<typeof RuleDefinition> => ({
  ...{ format: 1, mode: 'enforce', when: { all: [{ words: { any: [word] } }] } },
  steps: [[{ webhook: { label: 'trigger' } }]],
});

const ruled = ({ client, inProject, name }: Scratch): Promise<Rule> =>
  client.call(ruleRoutes.create, { ...inProject, body: { name, definition: announcing(name) } });

export const createdRule = async (scratch: Scratch): Promise<string> => (await ruled(scratch)).id;

export async function updatedRule(scratch: Scratch): Promise<string> {
  const { id } = await ruled(scratch);
  await scratch.client.call(ruleRoutes.update, { ...scratch.at(id), body: { enabled: false } });
  return id;
}

export async function deletedRule(scratch: Scratch): Promise<string> {
  const { id } = await ruled(scratch);
  await scratch.client.call(ruleRoutes.remove, scratch.at(id));
  return id;
}

export async function matchedRule(scratch: Scratch): Promise<string> {
  const { id } = await ruled(scratch);
  const session = await scratch.session();
  const { externalUserId } = await scratch.person();
  const body = { externalUserId, content: `Hello from ${scratch.name}` };
  await scratch.client.call(sessionRoutes.say, { ...scratch.at(session.id), body });
  return id;
}
