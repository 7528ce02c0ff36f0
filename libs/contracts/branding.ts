import type { Branding } from './http/accounts.ts';

export const defaultBranding: Branding = {
  primaryColor: '#ea580c',
  welcomeMessage: 'Welcome to your team wellness platform!',
  name: 'Your Organization',
  logoUrl: null,
};
