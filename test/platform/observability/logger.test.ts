/** Lines of the log tell what went wrong, and nothing of the people whom it concerned. */
import { PassThrough } from 'node:stream';
import pg from 'pg';
import { expect, it } from 'vitest';
import { createLogger } from '../../../daemon/platform/observability/logger.js';

it('says nothing of the row that PostgreSQL has refused', () => {
  const lines = new PassThrough();
  const error = Object.assign(new pg.DatabaseError('duplicate key value violates unique constraint', 0, 'error'), {
    code: '23505',
    detail: 'Key ("externalUserId")=(ann@home.example) already exists.',
    where: 'SQL statement "… ann@home.example"',
  });
  createLogger('error', lines).error({ err: error }, 'request failed');
  const line = String(lines.read());
  expect(JSON.parse(line)).toMatchObject({ msg: 'request failed', err: { code: '23505', message: error.message } });
  expect(line).not.toContain('ann@home.example');
});
