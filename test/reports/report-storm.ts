/** A storm of reports: reporters who each report a few people as fast as they can, beside a moderator and somebody else. */
import { expect } from 'vitest';
import { caseRoutes } from '../../src/contract/reports/cases.js';
import { reportRoutes } from '../../src/contract/reports/reports.js';
import { roomRoutes } from '../../src/contract/rooms/rooms.js';
import type { TestDaemon } from '../support/daemon.js';

interface Storm {
  readonly reports: number;
  readonly reporters: number;
  /** Longest time that another caller waits, as a median. */
  readonly patienceMs: number;
}

const targets = 20;
const atOnce = 25;

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

/** Sends the storm, and expects the queue to stay useful and others to be answered. */
export async function withstand(daemon: TestDaemon, { reports, reporters, patienceMs }: Storm): Promise<void> {
  const params = { projectId: daemon.projectId };
  const serious = { externalUserId: 'the-one', reporterUserId: 'a-child', category: 'minors_safety' };
  const { caseId } = await daemon.client.call(reportRoutes.create, { params, body: serious });
  let sent = 0;
  let refused = 0;
  const send = async (): Promise<void> => {
    while (sent < reports) {
      const index = sent;
      sent += 1;
      const body = {
        externalUserId: `target-${index % targets}`,
        reporterUserId: `storm-${Math.floor(index / targets) % reporters}`,
        category: 'spam',
      };
      await daemon.client.call(reportRoutes.create, { params, body }).catch((error: unknown) => {
        expect(error).toMatchObject({ status: 429, code: 'rate_limited' });
        refused += 1;
      });
    }
  };
  const waits: number[] = [];
  const began = performance.now();
  const others = async (): Promise<void> => {
    while (sent < reports) {
      const from = performance.now();
      await daemon.client.call(roomRoutes.list, { params });
      const { cases } = await daemon.client.call(caseRoutes.list, { params, query: { limit: 5 } });
      expect(cases[0]?.id).toBe(caseId);
      waits.push(performance.now() - from);
    }
  };
  await Promise.all([...Array.from({ length: atOnce }, send), others()]);
  const seconds = (performance.now() - began) / 1_000;
  const { cases } = await daemon.client.call(caseRoutes.list, { params, query: { limit: 200 } });
  expect(cases.length).toBeLessThanOrEqual(targets + 1);
  expect(cases[0]?.id).toBe(caseId);
  const stored = cases.reduce((sum, one) => sum + one.reports, 0);
  expect(stored).toBeLessThanOrEqual(reports - refused + 1);
  // One reporter has one report about each person, however often it was sent.
  expect(stored).toBeLessThanOrEqual(reporters * targets + 1);
  expect(cases.slice(1).every(({ brigaded }) => brigaded > 0)).toBe(true);
  const worst = Math.max(...waits);
  console.info(
    `${reports} reports from ${reporters} reporters in ${seconds.toFixed(0)} s, ${cases.length} cases; ` +
      `others wait ${median(waits).toFixed(0)} ms as a median, at most ${worst.toFixed(0)} ms`,
  );
  expect(median(waits)).toBeLessThan(patienceMs);
}
