import { installationRoutes } from '../../../src/contract/installation/installation.js';
import { useRead } from '../parts/use-read.js';
import { useSession } from '../session/session.js';

/** Has data for administrators of the installation only: others do not ask, or are refused. */
export function useInstallation() {
  const session = useSession();
  return useRead(installationRoutes.get, {}, { enabled: 'user' in session && session.user.role === 'admin' });
}
