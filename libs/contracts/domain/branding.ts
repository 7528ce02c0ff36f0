export const defaultBranding: Readonly<Record<'primaryColor' | 'welcomeMessage' | 'name', string>> & {
  readonly logoUrl: null;
} = {
  primaryColor: '#ea580c',
  welcomeMessage: 'Welcome to your team wellness platform!',
  name: 'Your Organization',
  logoUrl: null,
};
