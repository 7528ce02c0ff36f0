import type { ServiceName } from '@caravan/contracts/events/topics';
import { rebuild, type Rebuilt } from '@caravan/event-store/rebuild/rebuild';
import type { AfterReplay, AnyKind, AnyProjection } from '@caravan/event-store/rebuild/rebuild';
import { rebuildable as ofActivity } from '@caravan/activity/app.module';
import { rebuildable as ofIdentity } from '@caravan/identity/app.module';
import { rebuildable as ofScoring } from '@caravan/scoring/app.module';
import type { Product } from '../product.ts';
import { ownerUrl } from './databases.ts';

/** As each service's own rebuild command takes them. */
export const kindsOf = {
  identity: ofIdentity.kinds,
  activity: ofActivity.kinds,
  scoring: ofScoring.kinds,
} as const satisfies Partial<Record<ServiceName, readonly AnyKind[]>>;

export const afterReplay: Readonly<Record<string, AfterReplay>> = ofScoring.afterReplay;

export type Rebuildable = { readonly service: keyof typeof kindsOf; readonly projection: AnyProjection };

export function rebuildables(): Rebuildable[] {
  return (Object.keys(kindsOf) as (keyof typeof kindsOf)[]).flatMap((service) => {
    const projections = new Set<AnyProjection>(kindsOf[service].flatMap((kind: AnyKind) => kind.projections));
    return [...projections].map((projection) => ({ service, projection }));
  });
}

/** As `./caravan rebuild` does. */
export function rebuildOne(product: Product, { service, projection }: Rebuildable): Promise<Rebuilt> {
  return rebuild({ databaseUrl: ownerUrl(product, service), projection, kinds: kindsOf[service], afterReplay });
}
