/** Settings for the eye. */
import { type AppSettingsResponse, maskedSecret } from '../contract/projects/settings.js';

/** A screen is seen by others, so the password of the rooms is told by --json alone. */
export const onScreen = (settings: AppSettingsResponse): AppSettingsResponse => ({
  ...settings,
  e2eEncryptionPassword: settings.e2eEncryptionPassword === null ? null : maskedSecret,
});
