import { type Part, repeatedly } from '@svc/lifecycle'
import type { Context } from '../context.ts'
import { forgetKybUploads } from '../use-cases/kyb/forget-kyb-uploads.ts'
import { rescanKybDocuments } from '../use-cases/kyb/rescan-kyb-documents.ts'

const RESCANS_EVERY_MS = 10 * 60_000

/** Sees to uploads that nobody used, and to documents that came while there was no scanner. */
export const kybChores = (ctx: Context): Part[] => [
  repeatedly({
    name: 'unused uploads',
    everyMs: ctx.config.sweepIntervalMs,
    work: (stopping) => forgetKybUploads(ctx, stopping),
  }),
  repeatedly({ name: 'rescans', everyMs: RESCANS_EVERY_MS, work: (stopping) => rescanKybDocuments(ctx, stopping) }),
]
