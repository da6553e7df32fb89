import { type Peppers, pepperName } from '@svc/credentials'
import type { Context } from '../../context.ts'
import { countByPepper, type PepperCount } from '../../db/pepper-counts.ts'

/** Of what peppers have made, how much each has. */
export interface CountedPeppers {
  /** Of those in the list, in its order. */
  named: number[]
  /** Made while there was one alone: by that one, and no other. */
  unnamed: number
  /** Of one that is not in the list: nobody gets in by them. */
  lost: number
}

/** How many keys and passwords are left of a pepper that shall go. */
export async function countPeppers({
  config,
  database,
}: Pick<Context, 'config' | 'database'>): Promise<Record<PepperCount['table'], CountedPeppers>> {
  const counts = await countByPepper(database)
  const countedOf = (table: PepperCount['table'], peppers: Peppers): CountedPeppers => {
    const names = peppers.map(pepperName)
    const sum = (isMeant: (pepper: string | null) => boolean) =>
      counts.filter((row) => row.table === table && isMeant(row.pepper)).reduce((total, { count }) => total + count, 0)
    return {
      named: names.map((name) => sum((pepper) => pepper === name)),
      unnamed: sum((pepper) => pepper === null),
      lost: sum((pepper) => pepper !== null && !names.includes(pepper)),
    }
  }
  return {
    api_keys: countedOf('api_keys', config.apiKeyPepper),
    users: countedOf('users', config.passwordPepper),
    operators: countedOf('operators', config.passwordPepper),
  }
}
