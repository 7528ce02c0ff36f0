import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { wasDemoFilling } from './lib/demo-filling.ts';
import { activateMessages } from './lib/i18n.ts';
import { lazyPart } from './lib/lazy-part.ts';
import { createQueryClient } from './lib/query-client.ts';
import { reloadWhenReplaced } from './lib/replaced-page.ts';
import { followSession, verifySession } from './lib/session.ts';
import { followTheme } from './lib/theme.ts';
import { createAppRouter } from './router.tsx';
import { useToasts } from './ui/toast-state.ts';
import './styles/fonts.css';
import './styles/tokens.css';
import './styles/base.css';

const fetchToaster = () => import('./ui/toaster.tsx');
const Toaster = lazyPart(async () => (await fetchToaster()).Toaster);
// No screen waits for it: it comes with the first touch or key, before the network can fail under a notice.
for (const sign of ['pointerdown', 'keydown']) addEventListener(sign, () => void fetchToaster(), { once: true });

/** What is said waits in the toasts' state until what shows it is here. */
const Notices = () => useToasts().length > 0 && <Toaster />;

const DemoFilling = lazyPart(async () => (await import('./features/shell/demo-filling.tsx')).DemoFilling);

activateMessages();
const queryClient = createQueryClient();
followSession(queryClient);
followTheme();
void verifySession(queryClient);
const router = createAppRouter(queryClient);

reloadWhenReplaced();

const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <I18nProvider i18n={i18n}>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
          <Suspense>
            <Notices />
            {wasDemoFilling() && <DemoFilling />}
          </Suspense>
        </QueryClientProvider>
      </I18nProvider>
    </StrictMode>,
  );
