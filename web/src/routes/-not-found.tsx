import { MemberBell } from './-member-bell.tsx';
import { NotFound as Screen } from '../features/shell/not-found.tsx';

/** Any path that leads nowhere, with the bell of who is signed in. */
export const NotFound = () => <Screen bell={<MemberBell />} />;
