import { accountRoutes } from '../../../../src/contract/identity/accounts.js';
import { greetingOf } from '../../../platform/greeting.js';
import { bind } from '../../../platform/http/bind.js';
import type { AccountService } from './service.js';

export const accountRouter = (accounts: AccountService, publicUrl: () => string) =>
  bind(accountRoutes, {
    greet: () => greetingOf(publicUrl()),
    login: ({ body, remoteNetwork }) => accounts.login(body, remoteNetwork),
    provider: () => accounts.describeProvider(),
    loginWithCode: ({ body, remoteNetwork }) => accounts.loginWithCode(body, remoteNetwork),
    startDeviceLogin: ({ remoteNetwork }) => accounts.startDeviceLogin(remoteNetwork),
    finishDeviceLogin: ({ body, remoteNetwork }) => accounts.finishDeviceLogin(body.deviceCode, remoteNetwork),
    loginCredentials: ({ body, remoteNetwork, overLimit }) => accounts.loginCredentials(body, remoteNetwork, overLimit),
    me: ({ caller }) => accounts.profile(caller),
    refresh: ({ caller }) => accounts.refresh(caller),
    logout: ({ caller }) => accounts.logout(caller),
    changePassword: ({ caller, body, remoteNetwork }) =>
      accounts.changePassword(caller, body.currentPassword, body.newPassword, remoteNetwork),
    readInvitation: ({ body }) => accounts.readInvitation(body.token),
    acceptInvitation: ({ body, remoteNetwork }) => accounts.acceptInvitation(body, remoteNetwork),
  });
