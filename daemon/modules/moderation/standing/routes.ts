import { statementRoutes } from '../../../../src/contract/moderation/statements.js';
import { acceptedLanguages } from '../../../../src/text/statements/languages.js';
import { mayActAs } from '../../../platform/http/authorisation.js';
import { bind } from '../../../platform/http/bind.js';
import type { StandingService } from './service.js';
import type { WantedLanguage } from './statements.js';

interface Asked {
  readonly query: { readonly language?: string | undefined };
  readonly headers: { readonly 'accept-language'?: string | undefined };
}

const wanted = ({ query, headers }: Asked): WantedLanguage => ({
  language: query.language,
  others: acceptedLanguages(headers['accept-language']),
});

export const standingRouter = (standing: StandingService) =>
  bind(statementRoutes, {
    get: ({ project, caller, params, query }) =>
      standing.ofSanction(
        project.projectId,
        params.id,
        { moderator: mayActAs('moderator', caller, project, 'sanctions') },
        query,
      ),
    mine: (call) => standing.ofPlayer(call.caller.projectId, call.caller.externalUserId, wanted(call)),
    appealMine: (call) => standing.appealOfPlayer(call.caller, call.params.id, call.body.statement, wanted(call)),
    read: (call) => standing.byCode(call.params.code, wanted(call)),
    notices: ({ params }) => standing.noticesByCode(params.code),
    appeal: (call) => standing.appealByCode(call.params.code, call.body.statement, wanted(call)),
  });
