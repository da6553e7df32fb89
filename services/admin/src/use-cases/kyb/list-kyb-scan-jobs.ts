import type { By, Tenant } from '@svc/grpc'
import type { Page } from '@svc/inputs'
import type { Context } from '../../context.ts'
import { type KybDocument, listDocuments } from '../../db/kyb-documents.ts'

/** The merchant's documents with what their scans came to, newest first. */
export const listKybScanJobs = (
  ctx: Context,
  { scope }: By<Tenant>,
  page: Page,
): Promise<{ documents: KybDocument[]; total: number }> =>
  ctx.transact(scope, (tx) => listDocuments(tx, scope.merchantId, page))
