/** What a command's help offers as the options of a flag is what the contract takes, numbers included. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { routes } from '../../src/contract/routes.js';
import { flagName } from '../../src/text/flag-names.js';

const bodies = Object.values(routes)
  .flatMap((group) => Object.values(group))
  .flatMap(({ operationId, body }) => (body instanceof z.ZodObject ? [{ operationId, body }] : []));

/** Each option that a flag of a body names, with the value that the request then has. */
const offered = bodies.flatMap(({ operationId, body }) =>
  Object.entries(body.shape).flatMap(([name, type]) => {
    const schema = z.object({ [name]: type });
    const flag = Object.values(flagsFor(schema) as Record<string, { readonly options?: readonly string[] }>)[0];
    return (flag?.options ?? []).map((option) => ({ operationId, name, option, schema }));
  }),
);

describe('the options of a flag', () => {
  it.each(offered)('$operationId takes --$name $option', ({ name, option, schema }) => {
    const typed = requestFrom(schema, { [flagName(name)]: option })[name];
    expect(String(typed)).toBe(option);
    expect(schema.safeParse({ [name]: typed }).success).toBe(true);
  });

  it('are numbers where the contract has numbers', () => {
    const goals = offered.filter(({ name }) => name === 'goalCondition');
    expect(goals.map(({ operationId, option }) => `${operationId} ${option}`)).toEqual(
      expect.arrayContaining(['createChallenge 0', 'createChallenge 1', 'updateChallenge 1', 'createLevelChallenge 1']),
    );
    for (const { name, option, schema } of goals)
      expect(requestFrom(schema, { 'goal-condition': option })[name]).toBe(Number(option));
  });
});
