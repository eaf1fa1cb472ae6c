/** The console: moderation and operations in a browser. It calls public operations alone. */

import { createTheme, MantineProvider } from '@mantine/core';
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiError } from '../../src/client/errors.js';
import { basePath } from '../base.js';
import './styles.js';
import { kept } from './live/kept.js';
import { router } from './router.js';
import { Gate } from './session/gate.js';
import { WordsProvider } from './words/words.js';

const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: 8,
  autoContrast: true,
  defaultRadius: 'sm',
  respectReducedMotion: true,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", Menlo, Consolas, monospace',
  fontSizes: { xs: '11px', sm: '13px', md: '14px', lg: '16px', xl: '18px' },
  components: {
    TextInput: { defaultProps: { size: 'xs' } },
    Textarea: { defaultProps: { size: 'xs' } },
    PasswordInput: { defaultProps: { size: 'xs' } },
    NativeSelect: { defaultProps: { size: 'xs' } },
    Checkbox: { defaultProps: { size: 'xs' } },
    Button: { defaultProps: { size: 'xs' } },
  },
});

/** A role may have been taken away: the list of projects says what remains. */
const onError = (error: Error): void => {
  if (error instanceof ApiError && error.status === 403) void queries.invalidateQueries({ queryKey: ['projects'] });
};
/** Answers are taken for true so long: those that the event stream keeps fresh, and others. */
const [keptMs, unkeptMs] = [300_000, 5_000];
const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      // What is read by the clock is not kept by events alone, such as who speaks in a room.
      staleTime: ({ queryKey, options }) =>
        kept.isKept(queryKey) && !('refetchInterval' in options) ? keptMs : unkeptMs,
      retry: (failures, error) => failures < 2 && !(error instanceof ApiError && !error.isPassing),
    },
  },
});

// Whoever asks the daemon itself, and not its proxy, may leave out the path that the public address has.
if (!location.pathname.startsWith(`${basePath}/`))
  location.replace(basePath + location.pathname + location.search + location.hash);

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

createRoot(document.getElementById('console') as HTMLElement).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => nonce}>
      <QueryClientProvider client={queries}>
        <WordsProvider>
          <Gate>
            <RouterProvider router={router} />
          </Gate>
        </WordsProvider>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
