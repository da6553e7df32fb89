export { namedKeys } from './named-keys.ts'
export { createSecretBox, type SecretBox } from './secret-box.ts'
