import { useLingui } from '@lingui/react/macro';
import type { Units } from '@caravan/contracts/domain/movement/distance';
import { formatDistance } from './format.ts';
import { storageKeys } from './storage-keys.ts';
import { createStorageStore } from './store.ts';

const store = createStorageStore();

const currentUnits = (): Units => (localStorage.getItem(storageKeys.units) === 'metric' ? 'metric' : 'imperial');

/** Kept in this browser, so that the next start shows the right figures before the account's settings are here. */
export function chooseUnits(units: Units): void {
  if (units === currentUnits()) return;
  localStorage.setItem(storageKeys.units, units);
  store.tell();
}

/** Distances as the reader wants them: every figure takes miles, and `short` or `long` stands behind it. */
export function useDistance() {
  const { t } = useLingui();
  const units = store.use(currentUnits);
  const isMetric = units === 'metric';
  return {
    units,
    /** One decimal. */
    figure: (miles: number | string) => formatDistance(miles, units),
    /** Two decimals, for the running timer. */
    exactly: (miles: number) => formatDistance(miles, units, 'two'),
    /** What is still to go. */
    left: (miles: number) => formatDistance(miles, units, 'left'),
    /** Whole where it can be, for goals. */
    brief: (miles: number) => formatDistance(miles, units, 'brief'),
    short: isMetric ? t`km` : t`mi`,
    long: isMetric ? t`km` : t`miles`,
  };
}
