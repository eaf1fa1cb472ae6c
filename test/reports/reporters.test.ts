/** Records of reporters: thousands of one case are counted in its transaction, on both databases. */
import { describe, expect, it } from 'vitest';
import { ReporterStore } from '../../daemon/modules/reports/reporters/reporter-store.js';
import { ReporterService } from '../../daemon/modules/reports/reporters/service.js';
import { ReportStore } from '../../daemon/modules/reports/reports/report-store.js';
import { databases } from '../support/database.js';

describe.each(databases)('reporters on $name', ({ here, open }) => {
  it.skipIf(!here)('are counted by the thousand, each once, also by two cases at once', async () => {
    const { database, close } = await open();
    const [id, createdAt] = ['p', new Date()];
    await database.transaction(async (tx) => {
      await tx.tenant.create({ data: { id: 't', name: 't', createdAt } });
      await tx.project.create({ data: { id, tenantId: 't', name: 'p', billingProjectId: id, createdAt } });
    });
    const service = new ReporterService({
      ...{ database, reporters: new ReporterStore(database), now: () => new Date() },
      takenBack: { unfoundedAppeals: async () => [] },
      misuse: { announce: async () => {}, shareOfAppeals: async () => ({ decided: 0, unfounded: 0 }) },
      reports: new ReportStore(database, () => 30),
    });
    const people = Array.from({ length: 7_000 }, (_, index) => `r${index}`);
    const count = (some: readonly string[]) =>
      database.transaction((tx) => service.count(tx, { tenantId: 't', projectId: 'p' }, new Set(some), 'upheld'));
    await Promise.all([count(people), count([...people].reverse())]);
    for (const one of ['r0', 'r6999']) expect(await service.get('p', one)).toMatchObject({ decided: 2, upheld: 2 });
    await close();
  });
});
