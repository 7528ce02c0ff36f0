import { defaultBranding } from '@caravan/contracts/domain/branding';
import type { Branding } from '@caravan/contracts/http/accounts';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { readBranding } from './api/generated/sdk.gen.ts';
import { brandProperties } from './brand-colour.ts';
import { dataQuery } from './query-client.ts';
import { useSession } from './session-state.ts';
import { storageKeys } from './storage-keys.ts';

export const brandingQuery = dataQuery<Branding>(['/api/org/branding'], readBranding);

/** The organisation's branding; asked for only when signed in, applied when it arrives (4.11). */
export function useBranding(): Branding {
  const isSignedIn = useSession().status === 'signed-in';
  const { data, isPlaceholderData } = useQuery({
    ...brandingQuery,
    enabled: isSignedIn,
    placeholderData: rememberedBranding,
  });
  useEffect(() => {
    if (data && !isPlaceholderData) applyBranding(data);
  }, [data, isPlaceholderData]);
  return data ?? defaultBranding;
}

/** Whether the organisation's look is known from an earlier visit, has been answered or could not be had. */
export function useIsBrandingKnown(): boolean {
  const isSignedIn = useSession().status === 'signed-in';
  const { data, isError } = useQuery({
    ...brandingQuery,
    enabled: isSignedIn,
    placeholderData: rememberedBranding,
  });
  return data !== undefined || isError;
}

function applyBranding(branding: Branding): void {
  const properties = brandProperties(branding.primaryColor, branding.secondaryColor);
  for (const [name, value] of Object.entries(properties)) document.documentElement.style.setProperty(name, value);
  localStorage.setItem(storageKeys.branding, JSON.stringify({ branding, properties }));
}

function rememberedBranding(): Branding | undefined {
  try {
    const stored = JSON.parse(localStorage.getItem(storageKeys.branding) ?? '{}') as { branding?: Branding };
    return stored.branding;
  } catch {
    return undefined;
  }
}
