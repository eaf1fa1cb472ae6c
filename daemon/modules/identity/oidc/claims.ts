/** Reads from a person's claims who it is, and which groups they are in. */
import { z } from 'zod';
import { DomainError } from '../../../../src/contract/errors.js';
import { ownValue } from '../../../../src/names/own-value.js';
import type { ExternalIdentity } from '../accounts/service.js';
import { absentOr, flag } from './wire.js';

export const Person = z.object({
  /** At most 255 characters (OpenID Connect Core, section 2). */
  sub: z.string().regex(/^\P{Cc}{1,255}$/u),
  email: absentOr(z.email({ pattern: z.regexes.html5Email }).max(320)),
  /** A JSON boolean (OpenID Connect Core, section 5.1). Text may come from an attribute that people can edit, and proves nothing. */
  email_verified: absentOr(
    z.union([z.boolean(), z.string().transform((text) => (text === 'false' ? false : undefined))]),
  ),
  /** Entra: the owner of the address's domain is verified. Its `email` alone is whatever somebody has entered. */
  xms_edov: absentOr(flag),
  name: absentOr(z.string()),
});

export interface ClaimRules {
  /** The issuer that `sub` belongs to; null: `iss` of the claims names it. */
  readonly issuer: string | null;
  /** Claim with the groups: its name, or a path with dots. null: groups are not read. */
  readonly groupsClaim: string | null;
  /** The operator vouches for the addresses of the provider. */
  readonly trustsEmails: boolean;
  /** Only the owner of the address's domain proves it (`xms_edov`): the provider speaks for tenants of strangers. */
  readonly needsDomainOwner: boolean;
}

export type Claims = Readonly<Record<string, unknown>>;

const displayNameMax = 200;
const Groups = z.union([z.string().transform((name) => [name]), z.array(z.string()).max(10_000)]);

/** Throws identity_email_unverified, identity_answer_invalid; a ZodError where a claim is missing or has the wrong form. */
export function identityOf(claims: Claims, rules: ClaimRules): ExternalIdentity {
  const { groupsClaim, trustsEmails, needsDomainOwner } = rules;
  const { sub: subject, email, name, ...person } = Person.parse(claims);
  const issuer = rules.issuer ?? z.object({ iss: z.string() }).parse(claims).iss;
  const isVerified = needsDomainOwner ? person.xms_edov : (person.email_verified ?? person.xms_edov ?? trustsEmails);
  if (email === undefined)
    throw new DomainError('identity_email_unverified', {
      message:
        'The identity provider gives no e-mail address of your account. Add one there, or ask the operator to have `email` in EARSHOT_IDENTITY_SCOPE.',
    });
  if (isVerified !== true) throw new DomainError('identity_email_unverified');
  const displayName = name?.trim().slice(0, displayNameMax) ?? '';
  const groups = groupsClaim === null ? null : groupsOf(claims, groupsClaim);
  return { issuer, subject, email: email.toLowerCase(), displayName: displayName === '' ? null : displayName, groups };
}

/**
 * Joins the claims of an ID token and of the userinfo about the same person. An address and whether it is verified are taken from
 * one of them.
 */
export function joined(token: Claims, userinfo: Claims): Claims {
  const { email: _address, email_verified: _isVerified, xms_edov: _isOwned, ...others } = token;
  return userinfo.email === undefined || userinfo.email === null
    ? { ...userinfo, ...token }
    : { ...userinfo, ...others };
}

/** True if something that `identityOf` needs is not in the claims. */
export const isIncomplete = (claims: Claims, { groupsClaim, trustsEmails, needsDomainOwner }: ClaimRules): boolean =>
  claims.email === undefined ||
  (claims.xms_edov === undefined &&
    (needsDomainOwner || (typeof claims.email_verified !== 'boolean' && !trustsEmails))) ||
  (groupsClaim !== null && claimAt(claims, groupsClaim) === undefined);

function groupsOf(claims: Claims, name: string): string[] {
  const value = claimAt(claims, name);
  if (value === undefined || value === null) {
    // Entra leaves the groups of somebody out who is in more than some 200 of them.
    if (ownValue(Object(claims._claim_names), name) !== undefined)
      throw new DomainError('identity_answer_invalid', {
        message:
          'You are in more groups than fit into the ID token. Ask the operator to let the provider send only the groups that are assigned to the application, or its roles.',
      });
    return [];
  }
  return Groups.parse(value);
}

/** A claim of that very name, such as an address, goes before a path such as `realm_access.roles`. */
function claimAt(claims: Claims, name: string): unknown {
  const own = ownValue(claims, name);
  if (own !== undefined) return own;
  return name.split('.').reduce<unknown>((value, part) => ownValue(Object(value), part), claims);
}
