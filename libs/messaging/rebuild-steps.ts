import type { ServiceName } from '@caravan/contracts/topics';

/** A service that has to publish its history again, and where to. */
export type Replay = { readonly service: ServiceName; readonly topic: string };

/** What has to be done for one read model; `./caravan rebuild` does it. */
export type RebuildStep =
  | { readonly name: string; readonly is: 'inline' }
  | { readonly name: string; readonly is: 'consumed'; readonly replays: readonly Replay[] };

/** Stands for every read model of a service. */
export const everyReadModel = 'all';
