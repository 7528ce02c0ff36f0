import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { createQueryClient } from '../../lib/query-client.ts';
import { serveApi } from '../../testing/app.tsx';
import { DemoFilling } from './demo-filling.tsx';

function Miles({ read }: { read: () => Promise<number> }) {
  const { data } = useQuery({ queryKey: ['miles'], queryFn: read });
  return <p>{data} miles</p>;
}

test('[D26] a page says that the demo is being filled, shows what has come, and stops when it is there', async () => {
  let looks = 0;
  let miles = 0;
  serveApi({
    'HEAD /': () => {
      looks += 1;
      return looks < 2 ? { headers: { 'server-timing': 'demo-filling' } } : {};
    },
  });
  render(
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={createQueryClient()}>
        <DemoFilling />
        <Miles read={() => Promise.resolve((miles += 1))} />
      </QueryClientProvider>
    </I18nProvider>,
  );
  expect(screen.getByRole('status').textContent).toBe('The demo is being filled. It takes about half a minute.');
  expect(await screen.findByText('3 miles')).toBeDefined();
  expect(screen.getByRole('status').textContent).toBe('');
  expect(looks).toBe(2);
});
