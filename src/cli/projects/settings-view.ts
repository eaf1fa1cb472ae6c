/** Settings as people read them. */
import { type AppSettingsResponse, maskedSecret } from '../../contract/projects/settings.js';

/** Others may see the screen, so the password of the rooms is shown with --json only. */
export const onScreen = (settings: AppSettingsResponse): AppSettingsResponse => ({
  ...settings,
  e2eEncryptionPassword: settings.e2eEncryptionPassword === null ? null : maskedSecret,
});
