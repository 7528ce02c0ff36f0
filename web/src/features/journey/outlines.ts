import { feature, mesh } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import countries from 'world-atlas/countries-110m.json';

/** Land and the borders on it, after Natural Earth 1:110m. */
export function readOutlines() {
  const topology = countries as unknown as Topology<{ countries: GeometryCollection; land: GeometryCollection }>;
  return {
    land: feature(topology, topology.objects.land),
    borders: mesh(topology, topology.objects.countries, (one, other) => one !== other),
  };
}

export type Outlines = ReturnType<typeof readOutlines>;
