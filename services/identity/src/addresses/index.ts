export { AddressNotifier, AddressService } from './addresses.service.ts';
export {
  dropConfirmation,
  lockedAddress,
  replacePassword,
  takeAddress,
  useUndo,
  writeAddress,
} from './addresses.store.ts';
