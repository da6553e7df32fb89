import type { RpcReplies } from '../rpc-replies.ts'
import { at, id, page } from './pieces.ts'

const kybDocument = {
  id,
  storage_key: 'kyb/1.pdf',
  document_type: 'proof_of_address',
  file_name: 'bill.pdf',
  content_type: 'application/pdf',
  size_bytes: 1000,
  scan_status: 'infected',
  scan_detail: 'Eicar-Test-Signature',
  added_at: at,
  scanned_at: at,
}

export const kybReplies = {
  submitKyb: { kyb_status: 'pending_review', business_approval_status: 'none', submitted_at: at },
  presignKybUpload: {
    url: 'https://store.example/k',
    headers: { 'content-type': 'application/pdf' },
    expires_at: at,
    storage_key: 'kyb/1.pdf',
  },
  addKybDocument: { document: kybDocument, kyb_status: 'pending_review' },
  listKybScanJobs: { items: [kybDocument], ...page },
  recordIdentification: { outcome: 'recorded', kyb_status: 'verified' },
} satisfies Partial<RpcReplies>
