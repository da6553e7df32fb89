import type { KybDocument as KybDocumentMessage } from '@svc/contracts/admin/v1/kyb_service'
import type { KybDocument } from '../db/kyb-documents.ts'

/** A document of a business's file, with what its scan came to. */
export const kybDocumentMessage = (document: KybDocument): KybDocumentMessage => ({
  id: document.id,
  storage_key: document.storageKey,
  document_type: document.documentType,
  file_name: document.fileName,
  content_type: document.contentType,
  size_bytes: document.sizeBytes,
  scan_status: document.scanStatus,
  scan_detail: document.scanDetail ?? undefined,
  added_at: document.addedAt.toISOString(),
  scanned_at: document.scannedAt?.toISOString(),
})
