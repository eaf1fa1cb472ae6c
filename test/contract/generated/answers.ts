/** Reads answers by the contract. */
import { expect } from 'vitest';
import { ErrorBody } from '../../../src/contract/errors.js';
import { errorsOf } from '../../../src/contract/openapi.js';
import type { Route } from '../../../src/contract/route.js';
import { wrongIds } from './ids.js';

/** Expects an answer that the contract documents; returns the text of a refusal, or null for a success. */
export async function documentedRefusal(route: Route, response: Response): Promise<string | null> {
  const { status, body, contentType } = route.success;
  if (response.status < 400) {
    expect(response.status).toBe(status);
    if (contentType !== undefined) {
      expect(response.headers.get('content-type')).toContain(contentType);
      await response.body?.cancel();
    } else {
      const answer = await response.text();
      if (body !== undefined) {
        body.parse(JSON.parse(answer));
        expect(wrongIds(route, JSON.parse(answer))).toEqual([]);
      }
    }
    return null;
  }
  const answer = ErrorBody.parse(await response.json());
  const { code, statusCode } = answer;
  expect(statusCode).toBe(response.status);
  expect(errorsOf(route)).toContain(code);
  expect(code).not.toBe('internal');
  return JSON.stringify(answer);
}
