import type { Migrations } from '@svc/database'
import { merchantsLearned } from '@svc/service'
import { AgesDropped, ExpiryIndexes, ExpiryVacuum, outboxPending } from '@svc/transact'
import { Schema } from './202611221140-schema.ts'
import { NormalizationJobs } from './202611230400-normalization-jobs.ts'
import { ShopDomains } from './202611230401-shop-domains.ts'
import { Cloud } from './202611230430-cloud.ts'
import { Conversations, MerchantSlugs, MerchantsLearnedAnew } from './202611230431-conversations.ts'
import { JobTurns } from './202611230510-job-turns.ts'
import { AttachmentOcrJobs } from './202611231920-attachment-ocr-jobs.ts'
import { InboundMails } from './202611231921-inbound-mails.ts'
import { ShopClaimNumbers, ShopClaims } from './202611231930-shop-claims.ts'
import { AttachmentBudgets, AttachmentCounts } from './202611232000-attachment-budget.ts'
import { DeadLettersByAttempt, TriedAt } from './202611240040-dead-letters-by-attempt.ts'
import { ToldBefore } from './202611241440-told-before.ts'
import { ListsOfMerchant } from './202611280800-lists-of-merchant.ts'
import { ConversationsOfSigner } from './202611290645-conversations-of-signer.ts'

/** In the order in which they run. Databases that are older have a function receive_hook(), which nothing calls any more. */
export const migrations: Migrations = [
  { name: '202611221140-schema', class: Schema },
  { name: '202611221545-expiry-indexes', class: ExpiryIndexes },
  { name: '202611221546-expiry-vacuum', class: ExpiryVacuum },
  { name: '202611221550-merchants-learned', class: merchantsLearned('ingestion') },
  { name: '202611230400-normalization-jobs', class: NormalizationJobs },
  { name: '202611230401-shop-domains', class: ShopDomains },
  { name: '202611230430-cloud', class: Cloud },
  { name: '202611230431-conversations', class: Conversations },
  { name: '202611230432-merchant-slugs', class: MerchantSlugs },
  { name: '202611230433-merchants-learned-anew', class: MerchantsLearnedAnew },
  { name: '202611230510-job-turns', class: JobTurns },
  { name: '202611231920-attachment-ocr-jobs', class: AttachmentOcrJobs },
  { name: '202611231921-inbound-mails', class: InboundMails },
  { name: '202611231930-shop-claim-numbers', class: ShopClaimNumbers },
  { name: '202611231931-shop-claims', class: ShopClaims },
  { name: '202611232000-attachment-counts', class: AttachmentCounts },
  { name: '202611232001-attachment-budgets', class: AttachmentBudgets },
  { name: '202611240040-tried-at', class: TriedAt },
  { name: '202611240041-dead-letters-by-attempt', class: DeadLettersByAttempt },
  { name: '202611241440-told-before', class: ToldBefore },
  { name: '202611280800-lists-of-merchant', class: ListsOfMerchant },
  { name: '202611281520-ages-dropped', class: AgesDropped },
  { name: '202611290645-conversations-of-signer', class: ConversationsOfSigner },
  outboxPending,
]
