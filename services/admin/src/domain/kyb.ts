import { ServiceError, validationError } from '@svc/errors'
import type { KybStatus } from './merchant-transitions.ts'

export const DOCUMENT_TYPES = [
  'certificate_of_incorporation',
  'proof_of_address',
  'director_id',
  'tax_clearance',
  'other',
] as const
export type DocumentType = (typeof DOCUMENT_TYPES)[number]

/** What a document may be, and how its name in the store ends. */
export const DOCUMENT_EXTENSIONS = {
  'application/pdf': 'pdf',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
} as const
export type DocumentContent = keyof typeof DOCUMENT_EXTENSIONS
export const DOCUMENT_CONTENTS = Object.keys(DOCUMENT_EXTENSIONS) as [DocumentContent, ...DocumentContent[]]

export const MAX_DOCUMENT_BYTES = 10 * 1024 * 1024
/** Places for uploads that a merchant may have and not use. */
export const MOST_UNUSED_UPLOADS = 20
/** Documents of a merchant, those left out not counted. */
const MOST_DOCUMENTS = 50
/** Infected documents that a merchant leaves behind within a month: whoever goes on uploading them adds no more. */
const MOST_LEFT_OUT = 100
const MAX_PAYLOAD_BYTES = 64 * 1024

/** `unavailable`: nobody was there to scan it; `failed`: it cannot be scanned. Of neither is anything known. */
export type ScanStatus = 'pending' | 'scanning' | 'clean' | 'infected' | 'failed' | 'unavailable'

/** Whether nothing follows but a scanner that somebody sets up. */
export const isScanOver = (status: ScanStatus): boolean => status !== 'pending' && status !== 'scanning'

export interface DocumentCounts {
  unused: number
  added: number
  leftOut: number
}

/** Throws limit_reached where the merchant has no room for a further document. */
export function assertRoomForDocument({ added, leftOut }: DocumentCounts): void {
  const limit = added >= MOST_DOCUMENTS ? MOST_DOCUMENTS : leftOut >= MOST_LEFT_OUT ? MOST_LEFT_OUT : null
  if (limit !== null) throw new ServiceError('limit_reached', { details: { limit } })
}

/** Throws already_exists for a verified business: what it was verified by stays. Any other may submit, and submit again. */
export function assertMaySubmit(kybStatus: KybStatus): void {
  if (kybStatus !== 'verified') return
  throw new ServiceError('already_exists', {
    message: 'The business is verified already.',
    details: { kyb_status: kybStatus },
  })
}

/** The payload as it is kept; throws for what is too long, and for documents, which have a way of their own. */
export function assertPayload(payloadJson: string): void {
  if (Buffer.byteLength(payloadJson) > MAX_PAYLOAD_BYTES)
    throw new ServiceError('payload_too_large', { details: { limit_bytes: MAX_PAYLOAD_BYTES } })
  const payload = parsed(payloadJson)
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload))
    throw validationError([{ field: 'payload_json', rule: 'type', message: 'payload_json must be an object.' }])
  if ('documents' in payload)
    throw validationError([
      { field: 'documents', rule: 'reserved', message: 'documents are added by POST /v1/me/kyb/documents.' },
    ])
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** Throws invalid_transition where the file holds what a scanner found infected: nobody can have read it. */
export function assertNothingInfected(documentIds: readonly string[]): void {
  if (documentIds.length === 0) return
  throw new ServiceError('invalid_transition', {
    message: 'A document of the business is infected. The business has to submit again.',
    details: { field: 'kyb_status', reason: 'infected_document', documents: documentIds },
  })
}

/** What a payment provider has found of a business. */
interface Identification {
  succeeded: boolean
  occurredAt: Date
}

interface Reviewed {
  kybStatus: KybStatus
  submission: { submittedAt: Date; isFirst: boolean } | null
  hasInfected: boolean
}

/**
 * What follows from it. Only a business under review is verified or rejected by it, and only by what was found since it
 * submitted, or before it ever did: what comes twice or late changes nothing, and no operator's decision is undone.
 */
export function judgeIdentification(
  { kybStatus, submission, hasInfected }: Reviewed,
  { succeeded, occurredAt }: Identification,
): 'recorded' | 'not_pending' | 'of_an_earlier_submission' | 'infected_document' {
  if (kybStatus !== 'pending_review') return 'not_pending'
  if (submission && !submission.isFirst && occurredAt < submission.submittedAt) return 'of_an_earlier_submission'
  return succeeded && hasInfected ? 'infected_document' : 'recorded'
}

interface Standing {
  kybStatus: KybStatus
  businessApprovalStatus: string
}

/** What an owner is told of, by mail. */
export type KybDecision = 'verified' | 'rejected' | 'approved' | 'approval_rejected'

/** What was decided about a business between two states of it; null: nothing that its owner waits for. */
export function decisionBetween(was: Standing, is: Standing): KybDecision | null {
  const isLive = ({ kybStatus, businessApprovalStatus }: Standing) =>
    kybStatus === 'verified' && businessApprovalStatus === 'approved'
  const hasBecome = (field: keyof Standing, value: string) => is[field] === value && was[field] !== value
  if (isLive(is)) return isLive(was) ? null : 'approved'
  if (hasBecome('kybStatus', 'rejected')) return 'rejected'
  if (hasBecome('businessApprovalStatus', 'rejected')) return 'approval_rejected'
  return hasBecome('kybStatus', 'verified') ? 'verified' : null
}
