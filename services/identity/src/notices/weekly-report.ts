import { distanceIn, type Units } from '@caravan/contracts/domain/movement/distance';
import type { weeklyRecapBuilt } from '@caravan/contracts/events/social.events';
import type { z } from 'zod';

type WeeklyRecap = z.infer<typeof weeklyRecapBuilt.data>;

/** What the report's mail says of a week: how far all came, and the teams that came furthest. */
export function reportOf({ weekStartsOn, centimiles, memberCount, topTeams }: WeeklyRecap): {
  readonly text: string;
  readonly lines: readonly string[];
  readonly metricText: string;
  readonly metricLines: readonly string[];
  readonly link: string;
} {
  const people = memberCount === 1 ? '1 of you' : `${memberCount} of you`;
  const textIn = (units: Units) => `Your week: ${people} moved ${distanceOf(centimiles, units)} together`;
  const linesIn = (units: Units) =>
    topTeams.map((team, index) => `${index + 1}. ${team.name}, ${distanceOf(team.centimiles, units)}`);
  return {
    text: textIn('imperial'),
    lines: linesIn('imperial'),
    metricText: textIn('metric'),
    metricLines: linesIn('metric'),
    link: `/recaps/${weekStartsOn}`,
  };
}

function distanceOf(centimiles: number, units: Units): string {
  const format = new Intl.NumberFormat('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  // With a decimal it is never one mile.
  return `${format.format(Number(distanceIn(units, centimiles).figure))} ${units === 'imperial' ? 'miles' : 'km'}`;
}
