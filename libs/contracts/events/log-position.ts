import { serviceNames, type ServiceName } from './topics.ts';

/** A log that was restored to an earlier point uses positions again, for other facts: the epoch counts first. */
export type LogPosition = { readonly epoch: number; readonly position: number };
export type LogPositions = Readonly<Partial<Record<ServiceName, LogPosition>>>;

export function isUpTo(stands: LogPosition | undefined, wanted: LogPosition): boolean {
  if (!stands) return false;
  return stands.epoch === wanted.epoch ? stands.position >= wanted.position : stands.epoch > wanted.epoch;
}

export function positionsOf({ positions, epochs }: Told): LogPositions {
  return Object.fromEntries(
    Object.entries(positions).map(([name, position]) => [name, { epoch: epochs[name as ServiceName] ?? 0, position }]),
  );
}

type Told = Readonly<Record<'positions' | 'epochs', Readonly<Partial<Record<ServiceName, number>>>>>;

/** `activity:123@1767225600000,identity:45`; epoch 0 goes without saying. */
export function formatPositions(positions: LogPositions): string {
  return Object.entries(positions)
    .map(([service, { epoch, position }]) => `${service}:${position}${epoch === 0 ? '' : `@${epoch}`}`)
    .join(',');
}

const written = /^\s*([a-z]+):(\d{1,15})(?:@(\d{1,15}))?\s*$/;

/** Parts that make no sense are left out. */
export function parsePositions(text: string): LogPositions {
  const parts = text.split(',').flatMap((part) => {
    const [, name, position = '0', epoch = '0'] = written.exec(part) ?? [];
    const service = serviceNames.find((known) => known === name);
    return service && Number(position) > 0 ? [[service, { epoch: Number(epoch), position: Number(position) }]] : [];
  });
  return Object.fromEntries(parts) as LogPositions;
}
