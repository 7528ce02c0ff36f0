import type { Branding } from './http/accounts.ts';

/** Shown until an organisation has branded itself (3.4). */
export const defaultBranding: Branding = {
  primaryColor: '#ea580c',
  welcomeMessage: 'Welcome to your team wellness platform!',
  name: 'Your Organization',
  logoUrl: null,
};
