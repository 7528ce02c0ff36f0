import type { ConnectFailure, FitnessAccount, FitnessProvider, FitnessStatus } from '@caravan/contracts/http/fitness';

/** The rows of the card, as a link names them (2.79). */
export const deviceIds = ['apple-watch', 'strava', 'fitbit', 'google-fit'] as const;
export type DeviceId = (typeof deviceIds)[number];

export const providerNames: Readonly<Record<FitnessProvider, string>> = { strava: 'Strava', fitbit: 'Fitbit' };

/** From where one goes to a platform and comes back. */
export type Place = 'account-settings' | 'settings';

export type Platform = {
  readonly provider: FitnessProvider;
  readonly state: FitnessAccount['state'];
  /** As the platform numbers its people. */
  readonly userId: string | null;
  /** What the specification does not promise (D44): only where the server tells it. */
  readonly account: FitnessAccount | undefined;
};

/** What the status says is so; the account knows why something is not connected, and how far it is fetched. */
export function platformOf(
  provider: FitnessProvider,
  status: FitnessStatus,
  accounts: readonly FitnessAccount[] | null | undefined,
): Platform {
  const account = accounts?.find((each) => each.provider === provider);
  const isConnected = status[provider].connected;
  const userId = (provider === 'strava' ? status.strava.athleteId : status.fitbit.userId) ?? null;
  if (account?.state === 'reconnect') return { provider, account, userId, state: 'reconnect' };
  if (isConnected) return { provider, account, userId, state: 'connected' };
  return { provider, account, userId, state: account?.state === 'not-set-up' ? 'not-set-up' : 'not-connected' };
}

/** What an address tells of a screen with devices; anybody may have written it. */
export type DevicesSearch = { connect?: string; connected?: string; failed?: string; why?: string };

export const searchOf = ({ connect, connected, failed, why }: DevicesSearch): DevicesSearch => ({
  ...(connect !== undefined && { connect }),
  ...(connected !== undefined && { connected }),
  ...(failed !== undefined && { failed }),
  ...(why !== undefined && { why }),
});

/** With which row somebody arrives, and what became of connecting it. */
export type Arrival = {
  readonly device: DeviceId | undefined;
  readonly outcome:
    | { readonly is: 'connected'; readonly provider: FitnessProvider }
    | { readonly is: 'failed'; readonly provider: FitnessProvider; readonly why: ConnectFailure | undefined }
    | undefined;
};

const reasons: readonly ConnectFailure[] = ['refused', 'scope', 'expired', 'taken', 'another', 'unreachable'];

const among = <Name extends string>(names: readonly Name[], text: string | undefined): Name | undefined =>
  names.find((name) => name === text);

export function arrivalOf({ connect, connected, failed, why }: DevicesSearch): Arrival {
  const providers = ['strava', 'fitbit'] as const;
  const came = among(providers, connected);
  const lost = among(providers, failed);
  const outcome = came
    ? ({ is: 'connected', provider: came } as const)
    : lost && ({ is: 'failed', provider: lost, why: among(reasons, why) } as const);
  return { device: among(deviceIds, connect) ?? outcome?.provider, outcome };
}

/** iPads have called themselves Macs since 2019, but no Mac has a touch screen. */
export const isIos = (userAgent: string, maxTouchPoints: number): boolean =>
  /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1);

/** The companion app, wherever the reader's App Store is. */
export const appStoreLink = 'https://apps.apple.com/search?term=Caravan%20wellness%20companion';
