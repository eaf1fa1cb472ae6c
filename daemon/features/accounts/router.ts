import { accountRoutes } from '../../../src/contract/accounts.js';
import { bind } from '../../http/bind.js';
import type { AccountService } from './service.js';

export const accountRouter = (accounts: AccountService, version: string) =>
  bind(accountRoutes, {
    greet: () => ({ message: 'Earshot is listening.', name: 'earshot', version }),
    login: ({ body, remoteAddress }) => accounts.login(body.sessionId, remoteAddress),
    loginCredentials: ({ body, remoteAddress }) => accounts.loginCredentials(body.email, body.password, remoteAddress),
    me: ({ caller }) => accounts.profile(caller),
    refresh: ({ caller }) => accounts.refresh(caller),
    logout: ({ caller }) => accounts.logout(caller),
    changePassword: ({ caller, body, remoteAddress }) =>
      accounts.changePassword(caller, body.currentPassword, body.newPassword, remoteAddress),
    acceptInvitation: ({ body, remoteAddress }) => accounts.acceptInvitation(body, remoteAddress),
  });
