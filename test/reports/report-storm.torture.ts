/** Ten thousand reports from a hundred reporters, as fast as they come. */
import { it } from 'vitest';
import { describeDaemonsOnEachDatabase } from '../support/each-database.js';
import { withstand } from './report-storm.js';

describeDaemonsOnEachDatabase('a storm of ten thousand reports', (start) => {
  it('leaves the queue useful, and others are answered', async () => {
    const settings = { EARSHOT_RATE_LIMIT_CREDENTIAL: '0', EARSHOT_REPORTS_MINUTE: '0', EARSHOT_REPORTS_REPORTER: '0' };
    const daemon = await start({ settings });
    await withstand(daemon, { reports: 10_000, reporters: 100, patienceMs: 3_000 });
    await daemon.stop();
  });
});
