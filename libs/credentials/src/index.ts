export {
  describeApiKey,
  type MintedApiKey,
  mintApiKey,
  type ParsedApiKey,
  parseApiKey,
  problemOfApiKey,
} from './api-key.ts'
export { base62 } from './base62.ts'
export { checksum } from './checksum.ts'
export { digestEquals, secretEquals } from './constant-time.ts'
export { type Credential, epochKey } from './epoch-key.ts'
export { digestsOf, type Peppers, pepperName } from './peppers.ts'
export { PERMISSIONS, type Permission } from './permissions.ts'
export { SANDBOX_RIDER } from './sandbox-rider.ts'
export { isScope, type MerchantScope, SCOPES } from './scopes.ts'
export { type SigningKey, signToken } from './sign-token.ts'
export {
  type AdminClaims,
  type ClaimsOf,
  type MerchantClaims,
  type RefreshClaims,
  type RiderClaims,
  TOKEN_KINDS,
  type TokenKind,
} from './token-kinds.ts'
export { type VerifiedToken, verifyToken } from './verify-token.ts'
