import type { ConnectFailure, FitnessProvider } from '@caravan/contracts/http/fitness';

/** Where a connection was begun, and where the browser comes back to. */
export type Screen = 'account-settings' | 'settings';

export type Outcome = 'connected' | ConnectFailure;

/** A path of the web app, never another host. */
export function returnPath(screen: Screen, provider: FitnessProvider, outcome: Outcome): string {
  return outcome === 'connected' ? `/${screen}?connected=${provider}` : `/${screen}?failed=${provider}&why=${outcome}`;
}

/** What a failure of the platform means for whoever wanted to connect. */
export function outcomeOf(why: string): ConnectFailure {
  switch (why) {
    case 'scope':
      return 'scope';
    case 'refused':
    case 'reconnect':
      // A code is good once and for minutes.
      return 'expired';
    default:
      return 'unreachable';
  }
}
