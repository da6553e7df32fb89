export { namedKeys } from './named-keys.ts'
export { type Resealed, reseal, type SealedTable } from './reseal.ts'
export { createSecretBox, type SecretBox } from './secret-box.ts'
