export { beginsAs } from './begins-as.ts'
export { configuredObjectStore, objectStoreKnobs } from './configured-object-store.ts'
export type { ObjectStore, SignedUpload } from './object-store.ts'
export { type ObjectAge, removeWithRows } from './remove-with-rows.ts'
