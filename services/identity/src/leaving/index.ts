export { ErasureService } from './erasure.service.ts';
