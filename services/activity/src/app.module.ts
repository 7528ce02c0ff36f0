import { AuthModule } from '@caravan/auth/auth.module';
import { publicHistory } from '@caravan/event-store/rebuild/public-history';
import { MessagingModule } from '@caravan/messaging/messaging.module';
import type { ReadModel } from '@caravan/messaging/consumer/read-model';
import { Companion } from './companion/companion.client.ts';
import { Env } from '@caravan/service-kit/process/env';
import { Log } from '@caravan/service-kit/telemetry/log';
import { objectSettingsOf } from '@caravan/service-kit/storage/objects';
import { ServiceKitModule } from '@caravan/service-kit/http/service-kit.module';
import { type DynamicModule, Module } from '@nestjs/common';
import { BonusWindowConsumer } from './bonus-window/bonus-window.consumer.ts';
import { CompanionController } from './companion/companion.controller.ts';
import { linkRules } from './companion/link.ts';
import { LinkImports } from './companion/link-imports.service.ts';
import { LinkSocket } from './companion/link-socket.service.ts';
import { LinkedFiles } from './companion/linked-files.client.ts';
import { LinksController } from './companion/links.controller.ts';
import { PartedUploads } from './companion/parted-uploads.service.ts';
import { WantedLinks } from './companion/wanted-links.client.ts';
import { DirectoryConsumer } from './directory/directory.consumer.ts';
import type { ActivityEnv } from './env.ts';
import { FrequentActivitiesController } from './frequent-activities/frequent-activities.controller.ts';
import { ImportMovementsConsumer } from './importing/import-movements.consumer.ts';
import { ImportsService } from './importing/imports.service.ts';
import { MovementController } from './logging/movement.controller.ts';
import { movementStream } from './logging/movement.service.ts';
import { LogChangesController, OwnLogsController } from './logging/own-logs.controller.ts';
import { movementTextsOf } from './logging/own-logs.query.ts';
import { MyDataController } from './my-data/my-data.controller.ts';
import { CleanUpPhotos, cleanUpPhotos } from './photos/clean-up.job.ts';
import { makePhotoSizes, PhotoSizes } from './photos/photo-sizes.job.ts';
import { PublicPhotosController, PhotosController } from './photos/photos.controller.ts';
import { Registration } from './photos/registration.service.ts';
import { ServedPhotos } from './photos/served-photos.service.ts';
import { StoredFiles, uploadSeconds } from './photos/stored-files.client.ts';
import { Uploads } from './photos/uploads.service.ts';

/** The tables that consumers write and that can be rebuilt. */
export const readModels: readonly ReadModel[] = [
  {
    name: 'directory',
    tables: ['members', 'bonus_windows'],
    groups: ['activity.project-bonus-windows', 'activity.project-members'],
  },
];

/** Tables that nobody else can tell again, and why. */
export const ownTables: Readonly<Record<string, string>> = {
  movement_texts: 'what members typed and platforms measured; the log never holds it, so that it can be forgotten',
  frequent_activities: 'what members typed, counted as they typed it',
  uploads: 'what members were given addresses for',
  photos: 'what lies in the storage, and whose it is',
};

/** What an operator can make again: of what is recorded here, what consumers wrote, and what others are told again. */
export const rebuildable = {
  kinds: [movementStream],
  readModels,
  history: [publicHistory(movementStream, movementTextsOf)],
};

@Module({})
export class AppModule {
  static forRoot(env: ActivityEnv): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ServiceKitModule.forRoot(env, { jobs: [makePhotoSizes, cleanUpPhotos] }),
        AuthModule.forRoot(env),
        MessagingModule.forRoot(env),
      ],
      controllers: [
        DirectoryConsumer,
        BonusWindowConsumer,
        ImportMovementsConsumer,
        PhotosController,
        PublicPhotosController,
        CompanionController,
        LinksController,
        MovementController,
        OwnLogsController,
        LogChangesController,
        FrequentActivitiesController,
        MyDataController,
      ],
      providers: [
        { provide: Companion, useFactory: openCompanion, inject: [Env, Log] },
        { provide: LinkedFiles, useFactory: openLinks, inject: [Env] },
        PartedUploads,
        LinkImports,
        LinkSocket,
        WantedLinks,
        Uploads,
        Registration,
        ServedPhotos,
        StoredFiles,
        PhotoSizes,
        CleanUpPhotos,
        ImportsService,
      ],
    };
  }
}

const openLinks = ({ PHOTO_LINKS: allowed }: ActivityEnv) => new LinkedFiles(linkRules[allowed]);
const openCompanion = (env: ActivityEnv, log: Log) =>
  new Companion({ log, storage: objectSettingsOf(env), expiresInSeconds: uploadSeconds });
