import { type Resealed, reseal } from '@svc/sealing'
import type { Context } from '../context.ts'
import { sealedTables } from '../db/sealed-tables.ts'

/** Seals by the first key-encryption key what others have sealed: those may go then. */
export const resealSecrets = ({ database, secretBox }: Pick<Context, 'database' | 'secretBox'>): Promise<Resealed> =>
  reseal(database.worker, secretBox, sealedTables)
