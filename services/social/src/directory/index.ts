export { zonesOf, zonesSql } from './directory.query.ts';
