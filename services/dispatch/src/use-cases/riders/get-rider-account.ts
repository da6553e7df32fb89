import { type By, riderOf } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { getRider, type RiderAccount } from './get-rider.ts'

/** The rider who calls. */
export const getRiderAccount = (ctx: Context, by: By): Promise<RiderAccount> => getRider(ctx, by, riderOf(by))
