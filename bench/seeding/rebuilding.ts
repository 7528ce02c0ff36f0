import type { ServiceName } from '@caravan/contracts/topics';
import { rebuild, type Rebuilt } from '@caravan/event-store/rebuild';
import type { AnyKind, AnyProjection } from '@caravan/event-store/replay';
import { streamKinds as ofActivity } from '@caravan/activity/stream-kinds';
import { streamKinds as ofIdentity } from '@caravan/identity/stream-kinds';
import { streamKinds as ofScoring } from '@caravan/scoring/stream-kinds';
import type { Product } from '../product.ts';
import { ownerUrl } from './databases.ts';

/** As each service's own rebuild command takes them. */
export const kindsOf = {
  identity: ofIdentity,
  activity: ofActivity,
  scoring: ofScoring,
} as const satisfies Partial<Record<ServiceName, readonly AnyKind[]>>;

export type Rebuildable = { readonly service: keyof typeof kindsOf; readonly projection: AnyProjection };

export function rebuildables(): Rebuildable[] {
  return (Object.keys(kindsOf) as (keyof typeof kindsOf)[]).flatMap((service) => {
    const projections = new Set<AnyProjection>(kindsOf[service].flatMap((kind: AnyKind) => kind.projections));
    return [...projections].map((projection) => ({ service, projection }));
  });
}

/** As `./caravan rebuild` does; `adapted` stands in for it and for nothing else. */
export function rebuildOne(
  product: Product,
  { service, projection }: Rebuildable,
  adapted = projection,
): Promise<Rebuilt> {
  const kinds = kindsOf[service].map((kind: AnyKind) => ({
    ...kind,
    projections: kind.projections.map((each) => (each === projection ? adapted : each)),
  }));
  return rebuild({ databaseUrl: ownerUrl(product, service), projection: adapted, kinds });
}
