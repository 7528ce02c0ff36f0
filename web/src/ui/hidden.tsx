import { VisuallyHidden } from 'radix-ui';
import type { ReactNode } from 'react';

/** Read aloud, not shown. */
export const Hidden = ({ children }: { children: ReactNode }) => <VisuallyHidden.Root>{children}</VisuallyHidden.Root>;
