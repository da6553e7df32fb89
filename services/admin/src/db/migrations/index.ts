import type { Migrations } from '@svc/database'
import { ExpiryIndexes, ExpiryVacuum } from '@svc/transact'
import { Schema } from './202611221140-schema.ts'
import { OperatorMakers } from './202611221420-operator-makers.ts'
import { MintedBy } from './202611221432-minted-by.ts'
import { CodeLogins } from './202611221515-code-logins.ts'
import { KeyFamilies } from './202611221520-key-families.ts'
import { KeyFamilyIndexes } from './202611221521-key-family-indexes.ts'
import { LoginFailuresAge } from './202611221547-login-failures-age.ts'
import { SessionOrigins } from './202611221700-session-origins.ts'
import { RevokedKeysAge } from './202611221710-revoked-keys-age.ts'
import { LoginNetworks } from './202611222150-login-networks.ts'
import { AuditKeys } from './202611222230-audit-keys.ts'
import { PlatformIntents } from './202611230030-platform-intents.ts'
import { WorkspaceGrants } from './202611230031-workspace-grants.ts'
import { DelegatedSessions } from './202611230032-delegated-sessions.ts'
import { RiderRevocations } from './202611230055-rider-revocations.ts'
import { AccountTokens } from './202611230110-account-tokens.ts'
import { InquiryMessages } from './202611230111-inquiry-messages.ts'
import { InquiryLists } from './202611230112-inquiry-lists.ts'
import { DisputedEntries } from './202611230113-disputed-entries.ts'
import { DisputesOfMerchant } from './202611230114-disputes-of-merchant.ts'
import { GrantsGivenAgain } from './202611230150-grants-given-again.ts'
import { SignOn } from './202611230400-sign-on.ts'
import { AuditLogFilters } from './202611230420-audit-log-filters.ts'
import { CustomRoles } from './202611230422-custom-roles.ts'

/** In the order in which they run. */
export const migrations: Migrations = [
  { name: '202611221140-schema', class: Schema },
  { name: '202611221420-operator-makers', class: OperatorMakers },
  { name: '202611221432-minted-by', class: MintedBy },
  { name: '202611221515-code-logins', class: CodeLogins },
  { name: '202611221520-key-families', class: KeyFamilies },
  { name: '202611221521-key-family-indexes', class: KeyFamilyIndexes },
  { name: '202611221545-expiry-indexes', class: ExpiryIndexes },
  { name: '202611221546-expiry-vacuum', class: ExpiryVacuum },
  { name: '202611221547-login-failures-age', class: LoginFailuresAge },
  { name: '202611221700-session-origins', class: SessionOrigins },
  { name: '202611221710-revoked-keys-age', class: RevokedKeysAge },
  { name: '202611222150-login-networks', class: LoginNetworks },
  { name: '202611222230-audit-keys', class: AuditKeys },
  { name: '202611230030-platform-intents', class: PlatformIntents },
  { name: '202611230031-workspace-grants', class: WorkspaceGrants },
  { name: '202611230032-delegated-sessions', class: DelegatedSessions },
  { name: '202611230055-rider-revocations', class: RiderRevocations },
  { name: '202611230110-account-tokens', class: AccountTokens },
  { name: '202611230111-inquiry-messages', class: InquiryMessages },
  { name: '202611230112-inquiry-lists', class: InquiryLists },
  { name: '202611230113-disputed-entries', class: DisputedEntries },
  { name: '202611230114-disputes-of-merchant', class: DisputesOfMerchant },
  { name: '202611230150-grants-given-again', class: GrantsGivenAgain },
  { name: '202611230400-sign-on', class: SignOn },
  { name: '202611230420-audit-log-filters', class: AuditLogFilters },
  { name: '202611230422-custom-roles', class: CustomRoles },
]
