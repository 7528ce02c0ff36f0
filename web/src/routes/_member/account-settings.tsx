import { createFileRoute } from '@tanstack/react-router';
import { AccountSettings } from '../../features/devices/account-settings.tsx';
import { fitnessAccountsQuery, fitnessStatusQuery } from '../../features/devices/api.ts';
import { type DevicesSearch, searchOf } from '../../features/devices/device.ts';
import { inAdvance } from '../../lib/query-client.ts';

export const Route = createFileRoute('/_member/account-settings')({
  codeSplitGroupings: [['loader', 'component']],
  validateSearch: (search: DevicesSearch): DevicesSearch => searchOf(search),
  loader: ({ context: { queryClient } }) => {
    inAdvance(queryClient, fitnessStatusQuery);
    inAdvance(queryClient, fitnessAccountsQuery);
  },
  component: AccountSettingsRoute,
});

function AccountSettingsRoute() {
  return <AccountSettings search={Route.useSearch()} />;
}
