export { keyEncryptionKeys } from './key-encryption-keys.ts'
export { createSecretBox, type SecretBox } from './secret-box.ts'
