import { createFileRoute } from '@tanstack/react-router';
import { type DevicesSearch, searchOf } from '../../features/devices/device.ts';
import { DevicesSection } from '../../features/devices/devices-section.tsx';
import { PendingAddress } from '../../features/email/pending-address.tsx';
import { MyData } from '../../features/my-data/my-data.tsx';
import { NoticeKindsLink } from '../../features/notifications/notice-kinds-link.tsx';
import { ProfilePhoto } from '../../features/photos/profile-photo.tsx';
import { ChangePassword } from '../../features/recovery/change-password.tsx';
import { Sessions } from '../../features/sessions/sessions.tsx';
import { Settings } from '../../features/settings/settings.tsx';
import { inAdvance } from '../../lib/query-client.ts';
import { settingsQuery } from '../../lib/preferences.ts';

export const Route = createFileRoute('/_member/settings')({
  validateSearch: (search: DevicesSearch): DevicesSearch => searchOf(search),
  loader: ({ context }) => inAdvance(context.queryClient, settingsQuery),
  component: SettingsRoute,
});

function SettingsRoute() {
  return (
    <Settings
      picture={<ProfilePhoto />}
      belowEmail={<PendingAddress />}
      devices={<DevicesSection search={Route.useSearch()} />}
    >
      <NoticeKindsLink />
      <ChangePassword />
      <Sessions />
      <MyData />
    </Settings>
  );
}
