export { BadgeAwards } from './badge-awards.service.ts';
