import type { ConnectFailure, SkipReason, SyncRun } from '@caravan/contracts/http/fitness';
import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

/** Why a browser came back unconnected. @param name of the platform */
export const connectFailureWords = (why: ConnectFailure, name: string): MessageDescriptor =>
  ({
    refused: msg`You did not allow it at ${name}. Nothing was connected.`,
    scope: msg`${name} was not allowed to show us your workouts. Leave that tick set there, and try again.`,
    expired: msg`It took longer than ten minutes, or was begun in another browser. Start again from here.`,
    taken: msg`That ${name} account is connected to somebody else here. Disconnect it there first, or use another one.`,
    another: msg`Another ${name} account is connected. Disconnect it first, then connect this one.`,
    unreachable: msg`${name} did not answer. Nothing of yours is lost; try again in a few minutes.`,
  })[why];

/** Why a workout counts for nothing. @param name of the platform */
export const skipWords = (why: SkipReason, name: string): MessageDescriptor =>
  ({
    'too-short': msg`shorter than a minute`,
    'too-old': msg`older than the 30 days that are fetched`,
    duplicate: msg`the same as another workout`,
    unreadable: msg`${name} sent what we could not read`,
    'in-future': msg`begins in the future: the device’s clock may be wrong`,
    removed: msg`you deleted it here`,
  })[why];

/** What began a run. @param name of the platform */
export const causeWords = (cause: SyncRun['cause'], name: string): MessageDescriptor =>
  ({
    connect: msg`First fetch after connecting`,
    asked: msg`You asked for it`,
    notice: msg`${name} told us of something new`,
    nightly: msg`Nightly check`,
    'catch-up': msg`Catching up`,
  })[cause];

/** Why a run failed, and what happens next. @param name of the platform */
export const runFailureWords = (failure: NonNullable<SyncRun['failure']>, name: string): MessageDescriptor =>
  ({
    unreachable: msg`${name} did not answer. We try again by ourselves.`,
    busy: msg`${name} takes no more questions for now. We go on as soon as it does.`,
    reconnect: msg`${name} wants you to connect again. Nothing new comes in until then.`,
    unreadable: msg`${name} sent what we could not read. We try again tonight.`,
  })[failure];
