import type { PublicHistory } from '@caravan/event-store/public-history';
import type { AnyKind } from '@caravan/event-store/replay';
import type { ServiceEnv } from '@caravan/service-kit/env';
import type { DynamicModule } from '@nestjs/common';
import type { ReadModel } from './read-model.ts';

/** Tells the operator something. */
export type Print = (line: string) => void;

/** What an operator's command needs to know of a service. */
export type AdminCommandContext = {
  readonly env: Pick<ServiceEnv, 'SERVICE_NAME' | 'MIGRATION_DATABASE_URL' | 'KAFKA_BROKERS' | 'TOPIC_PREFIX'>;
  /** Must import `ServiceKitModule` and `MessagingModule`. */
  readonly module: DynamicModule;
  /** Whose projections can be rebuilt. */
  readonly kinds: readonly AnyKind[];
  /** What its consumers write and can be made again. */
  readonly readModels?: readonly ReadModel[];
  /** What it publishes again for read models elsewhere. */
  readonly history?: readonly PublicHistory[];
  /** Commands of the service's own; true when the command line names one, and that is done. */
  readonly handle?: (args: readonly string[]) => Promise<boolean>;
};
