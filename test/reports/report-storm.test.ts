/** A small storm of reports; the full one is in report-storm.torture.ts. */
import { it } from 'vitest';
import { describeDaemonsOnEachDatabase } from '../support/each-database.js';
import { withstand } from './report-storm.js';

describeDaemonsOnEachDatabase('a storm of reports', (start) => {
  it('leaves the queue useful, and others are answered', async () => {
    const daemon = await start({ settings: { EARSHOT_RATE_LIMIT_CREDENTIAL: '0' } });
    await withstand(daemon, { reports: 400, reporters: 20, patienceMs: 2_000 });
    await daemon.stop();
  });
});
