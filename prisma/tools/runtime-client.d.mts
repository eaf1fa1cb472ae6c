import type { Provider } from './generated.mjs';

interface ClientConfig {
  readonly previewFeatures: readonly string[];
  readonly clientVersion: string;
  readonly activeProvider: Provider;
  readonly inlineSchema: string;
  readonly runtimeDataModel: object;
  readonly parameterizationSchema: { readonly strings: readonly string[]; readonly graph: string };
}

export function clientConfig(provider: Provider, version: string): ClientConfig;
