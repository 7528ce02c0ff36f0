export { Drawing } from './drawing.client.ts';
