export { AddressNotifier, AddressService } from './addresses.service.ts';
export {
  addressTaken,
  dropConfirmation,
  lockedAddress,
  replacePassword,
  takeAddress,
  useUndo,
  writeAddress,
} from './addresses.store.ts';
export { isAddressTaken, undoOf } from './addresses.system.store.ts';
export type { LinkHolder } from './addresses.system.store.ts';
