import type { Platform } from '../../platform/platform.js';
import { Access } from './access.js';
import { LocalBilling } from './settings/billing.js';
import { HttpBilling } from './settings/http-billing.js';
import { SettingsService } from './settings/service.js';
import { SettingsStore } from './settings/store.js';
import { ProjectStore } from './store.js';

export function projectRecords({ database, box, settings, logger, now }: Platform) {
  const store = new ProjectStore(database);
  const settingsStore = new SettingsStore(database);
  const { EARSHOT_BILLING_URL: address, EARSHOT_BILLING_TOKEN: token } = settings;
  const billing =
    address === undefined || token === undefined
      ? new LocalBilling(settingsStore, box, now)
      : new HttpBilling(address, token.reveal(), logger);
  return {
    store,
    settingsStore,
    billing,
    settings: new SettingsService(database, settingsStore, billing, box, now),
    access: new Access(store),
  };
}
