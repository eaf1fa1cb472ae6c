/** The provider's discovery document (OpenID Connect Discovery 1.0), kept for ten minutes. */
import { z } from 'zod';
import { isLoopback } from '../../../platform/config/loopback.js';
import { type Clock, hasPassed } from '../../../platform/time/clock.js';
import type { ProviderHttp } from './provider-http.js';
import { absentOr, withoutSlash } from './wire.js';

const endpoint = absentOr(z.url({ protocol: /^https?$/ }));
const names = absentOr(z.array(z.string()));

const Discovery = z.object({
  issuer: z.string(),
  authorization_endpoint: endpoint,
  token_endpoint: endpoint,
  jwks_uri: endpoint,
  userinfo_endpoint: endpoint,
  introspection_endpoint: endpoint,
  device_authorization_endpoint: endpoint,
  id_token_signing_alg_values_supported: names,
  token_endpoint_auth_methods_supported: names,
  code_challenge_methods_supported: names,
});
export type ProviderDocument = z.infer<typeof Discovery>;

/**
 * The provider cannot be used as it is set up; the message says why. Everybody may read it, so what the network said, with its
 * addresses, is in the cause alone.
 */
export class ProviderUnusable extends Error {
  override name = 'ProviderUnusable';
}

const keptMs = 600_000;
/** A provider that does not answer is not asked again by every request. */
const failureKeptMs = 2_000;

/** In Entra's documents for several tenants, where tokens have the tenant's id. */
export const tenantMark = '{tenantid}';
const entraTenants = /(?<=^https:\/\/login\.microsoftonline\.com\/)(common|organizations)(?=\/)/;

export class Documents {
  private kept: { readonly document: Promise<ProviderDocument>; sinceMs: number; forMs: number } | null = null;

  constructor(
    private readonly http: ProviderHttp,
    private readonly issuer: string,
    private readonly now: Clock,
  ) {}

  /** Asks once for all callers. Throws ProviderUnusable. */
  document(): Promise<ProviderDocument> {
    const now = this.now();
    if (this.kept !== null && !hasPassed(this.kept.forMs, this.kept.sinceMs, now)) return this.kept.document;
    const kept = { document: this.read(), sinceMs: now.getTime(), forMs: keptMs };
    kept.document.catch(() => {
      kept.sinceMs = this.now().getTime();
      kept.forMs = failureKeptMs;
    });
    this.kept = kept;
    return kept.document;
  }

  /** Makes the next caller read the document anew. */
  forget(): void {
    this.kept = null;
  }

  private async read(): Promise<ProviderDocument> {
    const { protocol, hostname } = new URL(this.issuer);
    if (protocol === 'http:' && !isLoopback(hostname))
      throw new ProviderUnusable(
        `${this.issuer} is not encrypted: others in the network could read the client secret and sign anybody in. Set EARSHOT_IDENTITY_URL to an https address.`,
      );
    const issuer = withoutSlash(this.issuer);
    const url = `${issuer}/.well-known/openid-configuration`;
    const { status, body } = await this.http.request(url).catch((cause: unknown) => {
      throw new ProviderUnusable(`${url} does not answer.`, { cause });
    });
    if (status !== 200) throw new ProviderUnusable(`${url} answers ${status}. Check EARSHOT_IDENTITY_URL.`);
    const { success, data: document } = Discovery.safeParse(jsonOf(body));
    if (!success) throw new ProviderUnusable(`${url} is not a discovery document. Check EARSHOT_IDENTITY_URL.`);
    if (withoutSlash(document.issuer) !== issuer.replace(entraTenants, tenantMark))
      throw new ProviderUnusable(`${url} speaks for ${document.issuer}; set EARSHOT_IDENTITY_URL to the issuer.`);
    const mayBeOpen = protocol === 'http:'; // the provider is on this machine, and so must be what it names
    const isOpen = ({ protocol: used, hostname: host }: URL) => used === 'http:' && !(mayBeOpen && isLoopback(host));
    const open = Object.values(document).find((value) => typeof value === 'string' && isOpen(new URL(value)));
    if (open !== undefined)
      throw new ProviderUnusable(
        `${url} names ${open}, which is not encrypted. Let the provider name https addresses.`,
      );
    return document;
  }
}

/** Returns what the text says, or undefined where it is no JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
